"""The figures of a bot beside the mean of the field and the best bot. It reads and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.standings import Standing
from arena.translating import _, ngettext
from reports.facts import LeagueFacts
from reports.pages.bars import ShareRow, by_place, percent
from reports.pages.field import Best, Field
from reports.pages.histograms import (
    PhaseRow,
    PointsHistogram,
    TimesHistogram,
    phases,
    points_of,
    times_of,
)
from reports.pages.positions import Places, places_of
from reports.tally import BotTally
from reports.text import points

__all__ = ["Compared", "Figure", "compared"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of the bot, as written, beside the field's mean and that of the best bot; "–" if not known."""

    name: str
    own: str
    field: str
    best: str


@dataclass(frozen=True, slots=True)
class Compared:
    """What a bot's page shows of its points and times, beside the field.

    `best`: the best of the others, None without one; `about`: who the field is, in words. `times`: all
    decisions; `phases`: by phase, in rows.
    """

    best: Best | None
    about: str
    figures: tuple[Figure, ...]
    histogram: PointsHistogram | None
    by_place: tuple[ShareRow, ...]
    positions: Places | None
    times: TimesHistogram | None
    phases: tuple[PhaseRow, ...]


def compared(facts: LeagueFacts, field: Field, bot: str, row: Standing | None) -> Compared:
    """Return the figures of a bot. `row`: its line of the standings, None if it has none."""
    own = facts.tallies.get(bot) or BotTally(facts.season.seats)
    best = field.best(bot)
    return Compared(
        best=best,
        about=_about(field, row),
        figures=tuple(_figures(field, row, own, best)) if own.rounds else (),
        histogram=points_of(own, field, best),
        by_place=by_place(own, field, best) if own.matches else (),
        positions=places_of(facts, bot, own, best),
        times=times_of(own, field, best, facts.move_us),
        phases=tuple(phases(own, field, best, facts.move_us)),
    )


def _about(field: Field, row: Standing | None) -> str:
    if not field.size:
        return _("No bot is ranked, so there is no field to compare it with.")
    if row is not None and row.rank is not None:
        who = ngettext(
            "Field: the mean of %(num)s ranked bot, this one among them; each counts once.",
            "Field: the mean of %(num)s ranked bots, this one among them; each counts once.",
            field.size,
        )
    else:
        who = ngettext(
            "Field: the mean of %(num)s ranked bot; each counts once.",
            "Field: the mean of %(num)s ranked bots; each counts once.",
            field.size,
        )
    out = _("House bots, the stand-in, and excluded bots are left out.")
    return f"{who} {out}"


def _figures(field: Field, row: Standing | None, own: BotTally, best: Best | None) -> Iterator[Figure]:
    first = best.standing if best else None
    theirs = best.tally if best else None
    if row is not None:
        yield _points(_("Score"), row.score, field.score, first.score if first else None)
    card_points = theirs.card_points if theirs else None
    yield _points(_("Card points a round"), own.card_points, field.card_points, card_points)
    if row is not None:
        yield _points(_("Fault points a round"), row.charge, field.charge, first.charge if first else None)
    yield Figure(
        _("Took the Papayoo"),
        percent(own.papayoos, own.rounds, 1),
        "–" if field.papayoos is None else percent(field.papayoos, 1, 1),
        percent(theirs.papayoos, theirs.rounds, 1) if theirs else "–",
    )


def _points(name: str, *values: float | None) -> Figure:
    own, field, best = ("–" if value is None else points(value) for value in values)
    return Figure(name, own, field, best)
