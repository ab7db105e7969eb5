"""The columns of a leaderboard, in their order: what each is called and means, and how it is got.

The terminal, the pages, the exports and a program that wants the numbers loop over `COLUMNS`, so a column is
added here and where its number is computed. It formats no number: that is for whoever shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.score.table import Standing
from arena.score.verdicts import Look, NoLook
from arena.score.words import letters_text, rank_text

Cell = str | int | float | bool | None
"""A value of a line; None if it is missing."""


class Kind(StrEnum):
    """The kind of the values of a column, for people."""

    WHOLE = "whole number"
    POINTS = "number"
    TEXT = "text"
    FLAG = "true or false"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a leaderboard, with all that its columns are got from.

    `present`: whether the bot is in the field. `excluded_by`, `reason`: None if it is not excluded. `seen`:
    the verdicts on the whole leaderboard; `group`: see `groups_for_people`.
    """

    standing: Standing
    name: str
    role: str
    present: bool
    excluded_by: str | None
    reason: str | None
    seen: Look | NoLook
    group: str = ""

    @property
    def ranks(self) -> tuple[int, int] | None:
        """Return the lowest and highest rank that are still possible; None without verdicts on the bot."""
        return None if isinstance(self.seen, NoLook) else self.seen.ranks.get(self.standing.bot)

    @property
    def letters(self) -> Sequence[str]:
        """Return what is shared by bots that cannot be told apart; empty without verdicts on the bot."""
        return () if isinstance(self.seen, NoLook) else self.seen.letters.get(self.standing.bot, ())


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a leaderboard.

    `name`: in exports and for programs, which get every column. `value`: gets it from a line. `label`: its
    heading on pages, `short`: in a terminal; where it is empty, the column is not shown there. `shown`: what
    people read, where that is not the value itself. `if_any`: people see the column only if some line has a
    value. On pages, `beside`: it stands in the cell of the labelled column before it; `detail`: it stands in
    the second table, of where the points come from.
    """

    name: str
    kind: Kind
    meaning: str
    value: Callable[[Line], Cell]
    label: str = ""
    short: str = ""
    shown: Callable[[Line], Cell] | None = None
    if_any: bool = False
    beside: bool = False
    detail: bool = False

    def for_people(self, line: Line) -> Cell:
        """Return what people read in this column: points as a float, a number as an int, or a text."""
        return self.shown(line) if self.shown else self.value(line)


COLUMNS = (
    Column(
        "rank", Kind.WHOLE, "the rank by score; ties share a rank; empty for bots without one",
        lambda line: line.standing.rank, "#", "rank",
    ),
    Column("bot", Kind.TEXT, "the bot's id", lambda line: line.standing.bot),
    Column("name", Kind.TEXT, "the bot's name", lambda line: line.name, "Bot", "bot"),
    Column("role", Kind.TEXT, "entrant, house or stand_in", lambda line: line.role),
    Column(
        "present", Kind.FLAG, "true if it is in the field: neither excluded, nor has it left",
        lambda line: line.present,
    ),
    Column(
        "excluded_by", Kind.TEXT, "`organiser`, or `arena` by the limits; empty if it is not excluded",
        lambda line: line.excluded_by,
    ),
    Column("reason", Kind.TEXT, "why it is excluded", lambda line: line.reason),
    Column(
        "rank_low", Kind.WHOLE, "of the ranks that are still possible the best; empty without verdicts",
        lambda line: line.ranks[0] if line.ranks else None,
        "Ranks", "ranks", lambda line: rank_text(line.ranks, "–") if line.ranks else None, if_any=True,
    ),
    Column(
        "rank_high", Kind.WHOLE, "of the ranks that are still possible the worst",
        lambda line: line.ranks[1] if line.ranks else None,
    ),
    Column(
        "letters", Kind.TEXT, "bots that share a letter cannot be told apart; blanks between letters",
        lambda line: " ".join(line.letters) or None,
        "Group", "group", lambda line: line.group, if_any=True, beside=True,
    ),
    Column(
        "score", Kind.POINTS, "points a round, fewer are better: card points plus fault points",
        lambda line: line.standing.score, "Score", "score",
    ),
    Column(
        "half_width", Kind.POINTS, "half of the score's 95 % interval; read it once, at the end",
        lambda line: line.standing.half_width, "±", "+-", if_any=True, beside=True,
    ),
    Column(
        "standard_error", Kind.POINTS,
        "of the score: delete-one-session jackknife. half_width is also corrected by the design effect, so "
        "it may be less than this; both half_width and ranks allow for form from cycle to cycle",
        lambda line: line.standing.standard_error,
    ),
    Column(
        "card_points", Kind.POINTS, "field-adjusted card points a round",
        lambda line: line.standing.fap, "Card points", "card", detail=True,
    ),
    Column(
        "fault_points", Kind.POINTS, "fault points a round",
        lambda line: line.standing.charge, "Fault points", "fault", detail=True,
    ),
    Column(
        "sessions", Kind.WHOLE, "complete sessions that count for the score",
        lambda line: line.standing.sessions, "Sessions", "sessions", lambda line: _sessions(line.standing),
        detail=True,
    ),
    Column(
        "played", Kind.WHOLE, "complete sessions; with bots that have left the field some may not count",
        lambda line: line.standing.played,
    ),
    Column(
        "rounds", Kind.WHOLE, "rounds in the sessions that count",
        lambda line: line.standing.rounds, "Rounds", detail=True,
    ),
)  # fmt: skip
"""All columns, in their order everywhere."""


def _sessions(standing: Standing) -> Cell:
    """Return the sessions that count, and of how many where some do not."""
    if standing.sessions == standing.played:
        return standing.sessions
    return f"{standing.sessions:,} of {standing.played:,}"


def for_people(shown: Iterable[Line]) -> tuple[Column, ...]:
    """Return the columns that people see of these lines, in their order."""
    seen = tuple(shown)
    return tuple(
        column
        for column in COLUMNS
        if column.label and (not column.if_any or any(column.for_people(line) for line in seen))
    )


def groups_for_people(seen: Look | NoLook) -> dict[str, str]:
    """Return the letters of each compared bot, or the number of its group where there are many bots."""
    if isinstance(seen, NoLook):
        return {}
    if seen.in_groups:
        return {bot: str(number) for number, group in enumerate(seen.groups, 1) for bot in group}
    return {bot: letters_text(own) for bot, own in seen.letters.items()}
