"""Defines the tables of an export and their columns: the one place that names and explains them.

It reads nothing. A column may be added. None may change its meaning or be removed, because other people's
programs read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from arena.score import columns as standings
from arena.score.columns import Kind


class What(StrEnum):
    """The tables that can be exported; `columns_markdown` says what each holds."""

    STANDINGS = "standings"
    SESSIONS = "sessions"
    MATCHES = "matches"
    ROUNDS = "rounds"
    PLAYS = "plays"
    HOSTS = "hosts"


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `kind`: the kind of its values, for people.

    `timing`: it depends on clocks or the machine, so it is left out unless asked for.
    """

    name: str
    kind: str
    meaning: str
    timing: bool = False


_WHOLE, _NUMBER, _TEXT, _BOOL = Kind.WHOLE, Kind.POINTS, Kind.TEXT, Kind.FLAG

_SEASON = Column("season", _WHOLE, "the season's number, from 1")
_CYCLE = Column("cycle", _WHOLE, "the session's cycle, from 0")
_INDEX = Column("index", _WHOLE, "the session's place in its cycle, from 0")
_BOT = Column("bot", _TEXT, "the bot's id")
_SEAT = Column("seat", _WHOLE, "the seat, from 0; the next one is its left neighbour")
_MATCH = (
    _SEASON,
    Column("match", _WHOLE, "the match's number, from 1, as on the pages"),
    _CYCLE,
    _INDEX,
    Column("order", _WHOLE, "the seat order of the session, from 0"),
)
_STATE = Column(
    "state",
    _TEXT,
    "state of the session: planned, complete, voided, left_out; complete ones count",
)
_ROUND = Column("round", _WHOLE, "the round of the match, from 0; seat (round mod seats) deals")

_BEYOND = (
    "charges outside a decision, and those that a hand-over adds, count in the round of the hand-over, "
    "or else in the first"
)

TABLES: Mapping[What, tuple[Column, ...]] = {
    What.STANDINGS: (
        _SEASON,
        *(Column(one.name, one.kind, one.meaning) for one in standings.COLUMNS),
    ),
    What.SESSIONS: (
        _SEASON,
        _CYCLE,
        _INDEX,
        Column("phase", _WHOLE, "the phase, from 0; its deals follow from the secret of this phase"),
        _STATE,
        Column("neighbour", _WHOLE, "the bot's place in the line-up, from 0; the next one is its neighbour"),
        _BOT,
        Column("matches", _WHOLE, "finished matches; in a gauntlet only those of the bot"),
        Column("rounds", _WHOLE, "rounds in them"),
        Column("card_points", _WHOLE, "the bot's card points in them"),
        Column("fault_points", _WHOLE, "the bot's fault points in them"),
        Column("moved", _BOOL, "true if its matches were played on several hosts", timing=True),
    ),
    What.MATCHES: (
        *_MATCH,
        Column("attempt", _WHOLE, "the attempt at the match that was finished, from 0", timing=True),
        _STATE,
        Column("suits", _TEXT, "the letters of the suits S, H, D, C in the bots' messages"),
        Column("rounds", _WHOLE, "rounds of the match"),
        _SEAT,
        _BOT,
        Column("card_points", _WHOLE, "card points"),
        Column("fault_points", _WHOLE, "fault points"),
        Column("place", _WHOLE, "the place by card and fault points; ties share a place"),
        Column("faults", _WHOLE, "faults"),
        Column("hand_over", _TEXT, "why the stand-in took over; empty if it did not"),
        Column("hand_over_round", _WHOLE, "the round from which it played"),
        Column("hand_over_question", _WHOLE, "the question from which it played: 0 the pass, t + 1 trick t"),
        Column("started_at", _WHOLE, "milliseconds since 1970 (UTC)", timing=True),
        Column("finished_at", _WHOLE, "milliseconds since 1970 (UTC)", timing=True),
        Column("decisions", _WHOLE, "questions for which the bot was charged time", timing=True),
        Column("time_total_us", _WHOLE, "microseconds charged for them", timing=True),
        Column("time_max_us", _WHOLE, "the longest of them", timing=True),
        Column("cpu_us", _WHOLE, "processor time of the bot, microseconds; empty if unknown", timing=True),
        Column("off_turn_us", _WHOLE, "the part of cpu_us used while the bot had no question", timing=True),
        Column("queued_us", _WHOLE, "time in which it was ready and others had its core", timing=True),
        Column("extended_us", _WHOLE, "by how much its deadlines moved for that, in all", timing=True),
        Column("frozen", _BOOL, "true if it was stopped between its questions", timing=True),
        Column("left_core", _BOOL, "true if it was found on other cores than its referee's", timing=True),
        Column("late", _WHOLE, "answers that came after their question was closed", timing=True),
        Column("referee_late", _WHOLE, "how often the referee itself was late with a deadline", timing=True),
        Column("sandbox", _TEXT, "the sandbox that was in force", timing=True),
        Column("host", _WHOLE, "where it was played, see `hosts`; empty if unknown", timing=True),
    ),
    What.ROUNDS: (
        *_MATCH,
        _ROUND,
        _SEAT,
        _BOT,
        Column("dealer", _BOOL, "true if this seat dealt, and led the first trick"),
        Column("card_points", _WHOLE, "card points; those of all seats sum to 250"),
        Column("fault_points", _WHOLE, f"fault points; {_BEYOND}"),
        Column("papayoo", _TEXT, "the card that cost 40; empty until the session is over"),
        Column("hand", _TEXT, "the cards dealt to this seat, separated by blanks; empty until then"),
        Column("passed", _TEXT, "the cards it passed to the left; empty until then"),
    ),
    What.PLAYS: (
        *_MATCH,
        _ROUND,
        Column("decision", _WHOLE, "the place in the round, from 0"),
        Column("question", _WHOLE, "0 is the pass, t + 1 the play to trick t"),
        _SEAT,
        _BOT,
        Column("cards", _TEXT, "what was passed, separated by blanks, or the card played"),
        Column("stand_in", _BOOL, "true if the stand-in decided, not the bot"),
        Column("time_us", _WHOLE, "microseconds charged to the bot; 0 where it was not asked", timing=True),
        Column("extended_us", _WHOLE, "by how much the deadline moved, as the bot had no core", timing=True),
    ),
    What.HOSTS: (
        _SEASON,
        Column("host", _WHOLE, "the host's number, as in `matches`; the same in all seasons"),
        Column("name", _TEXT, "its name in a cluster; empty for the machine of a run without one"),
        Column("machine", _TEXT, "what tells it from other machines of that name"),
        Column("processor", _TEXT, "the model of its processor; empty if it did not tell"),
        Column("cores", _WHOLE, "the cores that the arena could use there"),
        Column("compiled", _BOOL, "true if its referees were compiled"),
        Column("sandbox", _TEXT, "the sandbox there"),
        Column("arena", _TEXT, "the version of the arena there"),
        Column("python", _TEXT, "the version of Python there"),
        Column("matches", _WHOLE, "finished matches of the season played there", timing=True),
        Column("first_seen_at", _WHOLE, "milliseconds since 1970 (UTC)", timing=True),
    ),
}  # fmt: skip

_ABOUT = {
    What.STANDINGS: "A row for each bot, in the order of the leaderboard; at the end those who have left an "
    "open league.",
    What.SESSIONS: "A row for each bot of each session that was begun, by cycle and index. "
    "The score uses only those of state `complete`.",
    What.MATCHES: "A row for each seat of each finished match, by number and seat.",
    What.ROUNDS: "A row for each seat of each round of each finished match.",
    What.PLAYS: "A row for each decision of each finished match whose session is over, in the order "
    "of play: first the passes by seat, then the cards.",
    What.HOSTS: "A row for each host on which matches of the season were finished. A machine that has "
    "changed, as by another version of the arena, is another host.",
}


def columns_of(what: What, timing: bool = False) -> tuple[Column, ...]:
    """Return the columns of a table; those that depend on clocks only with `timing`."""
    return tuple(column for column in TABLES[what] if timing or not column.timing)


def columns_markdown() -> str:
    """Return all tables in Markdown, for the documentation."""
    parts = []
    for what, columns in TABLES.items():
        rows = [
            f"| `{one.name}` | {one.kind}{', with `--timing`' if one.timing else ''} | {one.meaning} |"
            for one in columns
        ]
        head = ["| column | value | meaning |", "| --- | --- | --- |"]
        parts.append("\n".join([f"### {what.value}", "", _ABOUT[what], "", *head, *rows, ""]))
    return "\n".join(parts)
