"""`arena standings`: shows the leaderboard of a season as text that fits 80 columns, and as JSON.

Must not compute anything itself: the sentences about the order come from `arena.standings.words`, as on the
pages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from arena.cli.layout import (
    LEAST_NAME,
    TERMINAL,
    fitted,
    fitted_apart,
    names_of,
    narrow_table,
    plain,
    points_text,
    prose,
    short_names,
    wrapped,
)
from arena.cli.options import LeagueName, as_json, examples, league_argument, season_option
from arena.cli.organiser.standings_json import standings_json
from arena.cli.organiser.who_is_out import field_text, out_text
from arena.standings import Look, NoLook, Standing
from arena.standings.groups import groups, in_groups
from arena.standings.open_look import OpenLook
from arena.standings.words import (
    ABOUT_FORM,
    ABOUT_GROUPS,
    ABOUT_SURE,
    SESSION,
    about_interval,
    basis,
    decided,
    first_place,
    form,
    letters_text,
    more_sessions,
    rank_text,
)
from arena.store.stage import words_of
from arena.store.titles import season_title

if TYPE_CHECKING:
    from arena.store.scoring import Scored
    from arena.store.views import SeasonView

__all__ = ["Board", "standings"]

_GROUP = 8
_PAIRS_SHOWN = 5


@click.command(
    epilog=examples(
        "arena standings league.toml",
        "arena standings league.db --json > standings.json",
        "arena standings league.toml --season 1",
    )
)
@league_argument
@season_option
@as_json
def standings(league: LeagueName, number: int | None, as_json: bool) -> None:
    """Show the leaderboard of a season, by default the newest, and how sure it is.

    Points are for one round, and fewer are better. Only complete sessions count: a session is the same
    deals, played in several seat orders, so that each bot holds each hand equally often. The ranks that are
    still possible, and the letters shared by bots that cannot be told apart, come from complete cycles
    alone and hold however often you look. Read all else once, when the league is over.

    docs/export.md has recipes for the score cycle by cycle, without a bot, or at some seats.
    """
    from arena.cli.league_files import opened
    from arena.store.scoring import scored

    with opened(league, number) as found:
        season, score = found.season, scored(found.database, found.season)
        board = Board(season, score, ended=found.ended)
    click.echo(json.dumps(board.document(), indent=2, ensure_ascii=False) if as_json else board.text())


@dataclass(frozen=True, slots=True)
class Board:
    """What is shown of a season. `ended`: another season has begun."""

    season: SeasonView
    score: Scored
    ended: bool = False

    def text(self) -> str:
        """Return the table, bots without a rank apart, and what may be claimed; no newline at the end."""
        return "\n".join([*_heading(self), *_table(self), "", *_remarks(self)])

    def document(self) -> dict[str, object]:
        """Return the standings with full precision; null where there is no number."""
        return standings_json(self.season, self.score)


@dataclass(frozen=True, slots=True)
class _Column:
    head: str
    cell: Callable[[Standing], str]


def _heading(board: Board) -> list[str]:
    """Return which season it is where that is not the newest."""
    return [f"{season_title(board.season)}. Another season has begun since.", ""] if board.ended else []


def _table(board: Board) -> list[str]:
    lines = board.score.standings.rows
    groups = [
        ("", [line for line in lines if not board.score.ruling_on(line.bot)]),
        ("excluded", [line for line in lines if board.score.ruling_on(line.bot)]),
        ("not ranked (house)", list(board.score.standings.house)),
        ("retired", list(board.score.standings.retired)),
    ]
    columns = _columns(board)
    rows = [tuple(column.cell(line) for column in columns) for _, group in groups for line in group]
    head, *rest = narrow_table([column.head for column in columns], rows)
    shown = [head]
    for title, group in groups:
        if group and title:
            shown += ["", title]
        shown += rest[: len(group)]
        rest = rest[len(group) :]
    return shown


def _remarks(board: Board) -> list[str]:
    return [*(prose(said) for said in _sentences(board)), *_undecided(board)]


def _columns(board: Board) -> list[_Column]:
    """Return as many columns as fit: verdicts replace rounds."""
    names, seen = names_of(board.season), board.score.look
    columns = [
        _Column("rank", lambda line: "-" if line.rank is None else str(line.rank)),
        _Column("bot", lambda line: names[line.bot]),
        _Column("score", lambda line: points_text(line.score)),
        _Column("+-", lambda line: points_text(line.half_width)),
        _Column("card", lambda line: points_text(line.fap)),
        _Column("fault", lambda line: points_text(line.charge)),
        _Column("sessions", lambda line: f"{line.sessions:,}"),
    ]
    if not isinstance(seen, Look):
        return [*columns, _Column("rounds", lambda line: f"{line.rounds:,}")]
    shared = _groups(seen)
    return [
        *columns,
        _Column("ranks", lambda line: _possible(seen, line)),
        _Column("group", lambda line: shared.get(line.bot, "-")),
    ]


def _groups(seen: Look) -> dict[str, str]:
    """Return the letters of each ranked bot, or the number of its group where there are many bots."""
    if in_groups(seen):
        return {bot: str(number) for number, group in enumerate(groups(seen), 1) for bot in group}
    return {bot: fitted(letters_text(own), _GROUP) for bot, own in seen.letters.items()}


def _possible(seen: Look, line: Standing) -> str:
    """Return the ranks that are still possible; a newcomer is not compared yet."""
    return rank_text(seen.ranks[line.bot]) if line.rank and line.bot in seen.ranks else "-"


def _sentences(board: Board) -> Iterator[str]:
    """Yield the sentences below the table."""
    shown = board.score.standings
    names = short_names(board.season)
    counted_by = board.season.counted_by
    if told := words_of(board.season):
        yield plain(" ".join(told))
    yield from field_text(board.season, board.score, names)
    yield f"Points {counted_by}, fewer are better; an average bot without faults has {shown.par:.2f} (par)."
    yield f"A session is {SESSION}."
    if shown.intervals:
        yield about_interval("+-")
    if not shown.comparable:
        yield "Not yet comparable: the bots have not met often enough, scores are plain means."
    elif not shown.intervals:
        yield "No intervals yet: they rest on single sessions."
    if shown.provisional is not None:
        yield f"{shown.provisional[:1].upper()}{shown.provisional[1:]}."
    yield from _claims(board, names)
    yield from _of_open(board, names)
    if varies := form(shown.fit.varying, names):
        yield f"{varies} {ABOUT_FORM}"
    yield from out_text(board.score, names)
    if board.score.departed and shown.comparable:
        yield "The bots that are still in the field average par; what the others played counts."


def _claims(board: Board, names: dict[str, str]) -> Iterator[str]:
    """Yield the sentences about what is certain of the order."""
    seen, margin = board.score.look, board.score.scoring.margin
    if isinstance(seen, NoLook):
        yield f"No rank is sure: {seen.reason}."
        return
    yield (
        f"ranks are those still possible, valid however often you look, from {basis(seen)}"
        + ("." if in_groups(seen) else "; bots that share a letter in group cannot be told apart.")
    )
    if in_groups(seen):
        yield ABOUT_GROUPS
    out = any(field_text(board.season, board.score, names))
    yield f"{first_place(seen, names, margin, out)} {decided(seen, margin, out)}"
    if not board.season.open:
        yield ABOUT_SURE


def _of_open(board: Board, names: dict[str, str]) -> Iterator[str]:
    """Yield what is said of an open league only."""
    from arena.store.newcomers import newcomers, too_few_opponents

    seen = board.score.look
    if isinstance(seen, OpenLook):
        yield "That holds for this table: who comes or leaves makes another one, and a verdict may lapse."
        yield "A title is decided only by sessions after the close."
        if not seen.protected:
            yield "It is not protected against drift: the field has played too few cycles together."
    if new := newcomers(board.season, board.score):
        told = [
            f"{names[entry]} {sessions} of {needed} sessions" for entry, (sessions, needed) in new.items()
        ]
        yield f"Still catching up: {', '.join(told)}."
    if few := too_few_opponents(board.season, board.score):
        yield f"Too few current opponents, so they catch up: {', '.join(names[entry] for entry in few)}."
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
