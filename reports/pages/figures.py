"""The figures of a bot beside the mean of the field and the best bot. It reads and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.score.table import Standing
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.pages.bars import ShareRow, by_place, percent
from reports.pages.field import Best, Field
from reports.tally import SHARES, BotTally, Spent
from reports.text import number, points


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of the bot, as written, beside the field's mean and that of the best bot; "–" if not known."""

    name: str
    own: str
    field: str
    best: str


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """The time of a phase in microseconds, for the bot itself, the middle of the field, or the best bot.

    `who`: "Pass" or "Play" for the bot itself. `decisions`: empty of others. `quantiles`: see `SHARES`.
    `limit_us`: 0 if the league file names none.
    """

    who: str
    own: bool
    decisions: str
    quantiles: tuple[int, ...]
    limit_us: int


@dataclass(frozen=True, slots=True)
class Compared:
    """What a bot's page shows of its points and times, beside the field.

    `best`: the best of the others, None without one; `about`: who the field is, in words. `phases`: the times
    of its decisions.
    """

    best: Best | None
    about: str
    figures: tuple[Figure, ...]
    by_place: tuple[ShareRow, ...]
    phases: tuple[PhaseRow, ...]


def compared(facts: LeagueFacts, field: Field, bot: str, row: Standing | None) -> Compared:
    """Return the figures of a bot. `row`: its line of the standings, None if it has none."""
    own = facts.tallies.get(bot) or BotTally(facts.season.seats)
    best = field.best(bot)
    return Compared(
        best=best,
        about=_about(field, row),
        figures=tuple(_figures(field, row, own, best)) if own.rounds else (),
        by_place=by_place(own, field, best) if own.matches else (),
        phases=tuple(_phases(own, field, best, facts.move_us)),
    )


def _about(field: Field, row: Standing | None) -> str:
    if not field.size:
        return "No bot is ranked, so there is no field to compare it with."
    if row is not None and row.rank is not None:
        who = (
            f"Field: the mean of {counted(field.size, 'ranked bot')}, this one among them; each counts once."
        )
    else:
        who = f"Field: the mean of {counted(field.size, 'ranked bot')}; each counts once."
    out = "House bots, the stand-in, and excluded bots are left out."
    return f"{who} {out}"


def _figures(field: Field, row: Standing | None, own: BotTally, best: Best | None) -> Iterator[Figure]:
    first = best.standing if best else None
    theirs = best.tally if best else None
    if row is not None:
        yield _points("Score", row.score, field.score, first.score if first else None)
    card_points = theirs.card_points if theirs else None
    yield _points("Card points a round", own.card_points, field.card_points, card_points)
    if row is not None:
        yield _points("Fault points a round", row.charge, field.charge, first.charge if first else None)
    yield Figure(
        "Took the Papayoo",
        percent(own.papayoos, own.rounds, 1),
        "–" if field.papayoos is None else percent(field.papayoos, 1, 1),
        percent(theirs.papayoos, theirs.rounds, 1) if theirs else "–",
    )


def _points(name: str, *values: float | None) -> Figure:
    own, field, best = ("–" if value is None else points(value) for value in values)
    return Figure(name, own, field, best)


def _phases(own: BotTally, field: Field, best: Best | None, limit_us: int) -> Iterator[PhaseRow]:
    """Yield the times of the phases in which it was asked at all, each beside the field and the best bot."""
    for name, spent in (("Pass", _passes), ("Play", _plays)):
        if not (mine := spent(own)).us:
            continue
        yield PhaseRow(name, True, number(len(mine.us)), mine.quantiles(*SHARES), limit_us)
        if middle := field.middle_times(spent, SHARES):
            yield PhaseRow("Field", False, "", tuple(middle), 0)
        if best and (theirs := spent(best.tally)).us:
            yield PhaseRow(best.word, False, "", theirs.quantiles(*SHARES), 0)


def _passes(tally: BotTally) -> Spent:
    return tally.passes


def _plays(tally: BotTally) -> Spent:
    return tally.plays
