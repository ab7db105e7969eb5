"""The leaderboard of a season as text that fits 80 columns, and as JSON.

Must not compute anything itself: the sentences about the order come from `arena.score.words`, as on the
pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.cli.layout import (
    LEAST_NAME,
    TERMINAL,
    fitted_apart,
    names_of,
    plain,
    prose,
    short_names,
    wrapped,
)
from arena.cli.tables import board_table
from arena.match.stand_in import STAND_IN
from arena.score.columns import COLUMNS, Line
from arena.score.verdicts import Look, NoLook
from arena.score.words import (
    ABOUT_FORM,
    ABOUT_GROUPS,
    ABOUT_SURE,
    SESSION,
    about_interval,
    basis,
    decided,
    first_place,
    form,
    lasting,
    measured_against,
    more_sessions,
    not_counted,
    still_in,
)
from arena.store.scoring import newcomers
from arena.store.stage import season_title, words_of
from arena.wording import listed

if TYPE_CHECKING:
    from arena.store.scoring import Scored
    from arena.store.views import SeasonView

_PAIRS_SHOWN = 5
_OF_PAIR = ("better", "worse", "difference", "se", "low", "high", "more_sessions")


@dataclass(frozen=True, slots=True)
class Board:
    """What is shown of a season. `ended`: another season has begun."""

    season: SeasonView
    score: Scored
    ended: bool = False

    @property
    def lines(self) -> tuple[Line, ...]:
        """Return the lines of the leaderboard."""
        return self.score.lines(self.season)

    def text(self) -> str:
        """Return the table, bots without a rank apart, and what may be claimed; no newline at the end."""
        lines = [*_table(self), "", *(prose(said) for said in _sentences(self)), *_undecided(self)]
        if self.ended:
            lines = [f"{season_title(self.season)}. Another season has begun since.", "", *lines]
        return "\n".join(lines)

    def document(self) -> dict[str, object]:
        """Return the standings with full precision; null where there is no number."""
        season, score = self.season, self.score
        shown, stage = score.standings, season.section("stage")
        document: dict[str, object] = {
            "season": season.number,
            "title": season_title(season),
            **({"stage": dict(stage)} if stage else {}),
            "par": shown.par,
            "comparable": shown.comparable,
            "provisional": shown.provisional,
            "form_varies": dict(shown.fit.varying),
            "sessions_complete": len(score.results),
            "sessions_counted": shown.fit.session_count,
            "standings": [{column.name: column.value(line) for column in COLUMNS} for line in self.lines],
        }
        if season.open:
            document["catching_up"] = {
                entry: {"sessions": sessions, "needed": needed}
                for entry, (sessions, needed) in newcomers(season, score).items()
            }
            document["protected_against_drift"] = shown.fit.protected
        document["verdicts"] = _verdicts(score.look, score.scoring.margin)
        return document


def _verdicts(seen: Look | NoLook, margin: float) -> dict[str, object]:
    """Return every pair with what is known of it, or the reason why there are no verdicts."""
    if isinstance(seen, NoLook):
        return {"reason": seen.reason}
    return {
        "cycles": seen.cycles,
        "sessions": seen.sessions,
        "margin": margin,
        "settled": seen.settled,
        "undecided": [[pair.better, pair.worse] for pair in seen.open_neighbours],
        "pairs": [
            {name: getattr(pair, name) for name in _OF_PAIR} | {"verdict": pair.verdict.value}
            for pair in seen.pairs
        ],
    }


def _table(board: Board) -> list[str]:
    """Return the table, with those who have no rank apart."""
    lines = board.lines
    parts = [
        ("", [line for line in lines if line.present and not line.standing.house]),
        ("excluded", [line for line in lines if line.excluded_by]),
        ("not ranked (house)", [line for line in lines if line.present and line.standing.house]),
        ("retired", [line for line in lines if not line.present and not line.excluded_by]),
    ]
    head, *rest = board_table([line for _, part in parts for line in part])
    shown = [head]
    for title, part in parts:
        if part and title:
            shown += ["", title]
        shown += rest[: len(part)]
        rest = rest[len(part) :]
    return shown


def _sentences(board: Board) -> Iterator[str]:
    """Yield the sentences below the table."""
    shown = board.score.standings
    names = short_names(board.season)
    counted_by = board.season.counted_by
    if stage := words_of(board.season):
        yield plain(" ".join(stage))
    yield from _still_in(board, names)
    yield f"Points {counted_by}, fewer are better; an average bot without faults has {shown.par:.2f} (par)."
    yield f"A session is {SESSION}."
    if told := not_counted(shown.fit.session_count, len(board.score.results)):
        yield told
    if shown.comparable:
        yield about_interval("+-")
    if not shown.comparable:
        yield "Not yet comparable: the bots have not met often enough, scores are plain means."
    if shown.provisional is not None:
        yield f"{shown.provisional[:1].upper()}{shown.provisional[1:]}."
    yield from _claims(board, names)
    yield from _of_open(board, names)
    if varies := form(shown.fit.varying, names):
        yield f"{varies} {ABOUT_FORM}"
    yield from _who_is_out(board.score, names)
    if lasts := lasting(shown.fit):
        yield lasts
    if moved := measured_against(shown.fit, names):
        yield moved


def _claims(board: Board, names: dict[str, str]) -> Iterator[str]:
    """Yield the sentences about what is certain of the order."""
    seen, margin = board.score.look, board.score.scoring.margin
    if isinstance(seen, NoLook):
        yield f"No rank is sure: {seen.reason}."
        return
    yield (
        f"ranks are those still possible, valid however often you look, from {basis(seen)}"
        + ("." if seen.in_groups else "; bots that share a letter in group cannot be told apart.")
    )
    if seen.in_groups:
        yield ABOUT_GROUPS
    out = any(_still_in(board, names))
    yield f"{first_place(seen, names, margin, out)} {decided(seen, margin, out)}"
    if not board.season.open:
        yield ABOUT_SURE


def _of_open(board: Board, names: dict[str, str]) -> Iterator[str]:
    """Yield what is said of an open league only."""
    seen = board.score.look
    if board.season.open and isinstance(seen, Look):
        yield "That holds for this table: who comes or leaves makes another one, and a verdict may lapse."
        yield "A title is decided only by sessions after the close."
        if not seen.protected:
            yield "It is not protected against drift: the field has played too few cycles together."
    if new := newcomers(board.season, board.score):
        told = [
            f"{names[entry]} {sessions} of {needed} sessions" for entry, (sessions, needed) in new.items()
        ]
        yield f"Still catching up: {', '.join(told)}."
    if board.score.standings.retired:
        yield "Retired versions have no rank; scores are by what they played with those who are present."


def _undecided(board: Board) -> Iterator[str]:
    """Yield the pairs of neighbours that are undecided, and about how many sessions they need."""
    seen = board.score.look
    if isinstance(seen, NoLook):
        return
    names, still = names_of(board.season), seen.open_neighbours
    for pair in still[:_PAIRS_SHOWN]:
        needs = more_sessions(pair.more_sessions)
        most = (TERMINAL - len(f"  , : {pair.difference:.2f} apart, {needs}")) // 2
        shown = fitted_apart(names.values(), max(LEAST_NAME, most))
        better, worse = shown[names[pair.better]], shown[names[pair.worse]]
        line = wrapped(f"{better}, {worse}: {pair.difference:.2f} apart, {needs}", TERMINAL - 2)
        yield "  " + line.replace("\n", "\n    ")
    if len(still) > _PAIRS_SHOWN:
        yield f"  and {len(still) - _PAIRS_SHOWN} more pairs (see --json)"


def _still_in(board: Board, names: Mapping[str, str]) -> Iterator[str]:
    """Yield how many bots are still in; nothing if all are, and in an open league."""
    out = () if board.season.open else board.score.out
    if said := still_in((line.bot for line in board.score.standings.rows), out, names):
        yield plain(said)


def _who_is_out(score: Scored, names: Mapping[str, str]) -> Iterator[str]:
    """Yield why each bot is out, in short, and for whom the stand-in plays."""
    rulings = score.out
    for bot, ruling in rulings.items():
        since = f"from session {ruling.from_cycle}.0 on"
        yield plain(f"{names.get(bot, bot)} is excluded by the {ruling.by} {since}: {ruling.brief}.")
    if any(ruling.by_limits for ruling in rulings.values()):
        yield "The pages of these bots say by which rule, and what can be done."
    for line in score.standings.house:
        if line.bot == STAND_IN and rulings:
            whom = listed([names.get(bot, bot) for bot in rulings])
            yield plain(f"{names[line.bot]} plays random cards for {whom}.")
