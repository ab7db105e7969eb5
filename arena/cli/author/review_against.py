"""`arena review --against`: what other bots would have answered, and what that costs. Stores nothing.

Their answers are printed to whoever asked for them, and never reach the league or its pages.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from random import Random
from typing import TYPE_CHECKING, Final

import click

from arena.cli.layout import plain, prose, table
from arena.cli.options import BotWishes, bots_ready, say
from arena.errors import DatabaseBusy, UsageError
from arena.match.relabel import Relabelling
from arena.review.against import Against, Answered, Compared, against
from arena.review.clusters import Estimate
from arena.wording import counted

if TYPE_CHECKING:
    from arena.match.record import MatchRecord
    from arena.workbench.bots import Bot
    from arena.workbench.review_material import Material
    from arena.workbench.review_room import RunBy
    from arena.workbench.review_run import Limits

_START_SECONDS: Final = 60.0


class _Asking:
    """One other bot, and what it has answered so far: whole matches. `failed`: why it is asked no more."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.exact = True
        self.answered: list[Answered] = []
        self.failed = ""

    def ask(self, record: MatchRecord, seats: Sequence[int], limits: Limits) -> None:
        """Put one match to it from each of these seats. UsageError if it does not answer the first match."""
        from arena.workbench.sparring import Failed

        try:
            self.answered += self._asked(record, seats, limits)
        except Failed as failed:
            if not self.answered:
                raise UsageError(f"{self.bot.name} does not answer: {failed.evidence.found}") from None
            self.failed = failed.evidence.found

    def _asked(self, record: MatchRecord, seats: Sequence[int], limits: Limits) -> list[Answered]:
        """Return its answers. The first questions of all are put twice: does it answer the same again?"""
        from arena.workbench.against import answered, answers_of

        found: list[Answered] = []
        for seat in seats:
            answers = answers_of(self.bot, record, seat)
            if not self.answered and not found:
                self.exact = answers == answers_of(self.bot, record, seat)
            found += answered(record, seat, answers, limits.worlds, limits.seed)
        return found

    def summed(self) -> Against:
        return against(self.bot.name, self.answered, self.exact)


def undisturbed(run_by: RunBy) -> None:
    """Raise DatabaseBusy if somebody runs the league: other bots would take time from those that play."""
    from arena.workbench.review_room import runner

    holder = run_by()
    if holder is not None:
        raise DatabaseBusy(
            f"This league is being run by {runner(holder)}: wait for it, other bots would disturb it"
        )


def review_against(
    material: Material, given: Sequence[str], limits: Limits, sandbox: str, run_by: RunBy, *, as_json: bool
) -> bool:
    """Ask the given bots what the reviewed bot was asked, match by match within the time, and print the sum.

    Ctrl-C or a run that begins ends the asking; what came of it until then is printed. A bot that fails after
    its first match is asked no more. Return whether none has.
    """
    wishes = BotWishes(start_seconds=_START_SECONDS, memory_mib=1 << 20, sandbox=sandbox)
    with bots_ready(given, wishes) as bots:
        asking = [_Asking(bot) for bot in bots]
        with suppress(KeyboardInterrupt):
            for record, seats in _in_time(material, limits, run_by):
                for one in asking:
                    if not one.failed:
                        one.ask(record, seats, limits)
                if all(one.failed for one in asking):
                    break
    if as_json:
        found = [_as_data(one, material) for one in asking]
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        click.echo("\n\n".join("\n".join(_lines(one.summed(), one.failed, material)) for one in asking))
    return not any(one.failed for one in asking)


def _in_time(
    material: Material, limits: Limits, run_by: RunBy
) -> Iterator[tuple[MatchRecord, tuple[int, ...]]]:
    """Yield matches with the bot's seats, in the order of the seed, until time is over or a run has begun.

    There is at least one. DatabaseBusy if a run has begun before it.
    """
    records = list(material.records.values())
    Random(f"{limits.seed}/against").shuffle(records)  # noqa: S311 - the same order each time
    end = None if limits.seconds is None else time.monotonic() + limits.seconds
    undisturbed(run_by)
    for number, record in enumerate(records):
        if number and end is not None and time.monotonic() >= end:
            return
        if number and run_by() is not None:
            say("stopped, because a run of this league has begun: this is what was answered until then")
            return
        say(f"match {number + 1} of {len(records)}")
        yield record, tuple(seat for seat, one in enumerate(record.seats) if one.bot == material.bot)


def _as_data(one: _Asking, material: Material) -> dict[str, object]:
    """Return the sum as data, with every difference in names of cards."""
    differences = [_difference(each.cost, material) for each in one.answered if each.cost is not None]
    return {**asdict(one.summed()), "failed": one.failed, "differences": differences}


def _difference(one: Compared, material: Material) -> dict[str, object]:
    names = Relabelling.of(material.records[one.match].setup.suits).names
    return {
        "match": material.numbers[one.match],
        "seat": one.seat,
        "round": one.round,
        "question": one.question,
        "chosen": names(one.chosen),
        "other": names(one.other),
        "cost": one.cost,
        "error": one.error,
    }


def _lines(found: Against, failed: str, material: Material) -> Iterator[str]:
    bot, other = plain(material.names.get(material.bot, material.bot)), plain(found.name)
    share = f" ({found.differ / found.asked:.0%})" if found.asked else ""
    yield prose(
        f"{other} would have chosen otherwise than {bot} in {found.differ:,} of "
        f"{counted(found.asked, 'decision')} with a choice{share}, in {counted(found.rounds, 'round')}."
        + (f" {found.illegal:,} of its answers were illegal." if found.illegal else "")
    )
    if failed:
        yield prose(f"Then it answered no more, and was not asked again: {plain(failed)}.")
    if not found.exact:
        yield prose(
            "Not exact: asked the same twice, it answered differently. It looks at a clock or throws dice of "
            "its own."
        )
    if found.a_round is not None:
        value, error = found.a_round.value, found.a_round.error
        sure = "" if error is None else f" ± {error:.2f}"
        yield prose(
            f"Added up over a round, {bot}'s choices are expected to take {abs(value):.2f}{sure} points "
            f"{'more' if value >= 0 else 'less'} than those of {other}: each taken for itself, and the round "
            "played on by the arena's quick policy. So it is not the score that it would have had."
        )
    rows = [
        (each.phase.value, f"{each.asked:,}", f"{each.differ:,}", _points(each.each)) for each in found.phases
    ]
    yield ""
    yield from table(("phase", "choices", "different", "costs each"), rows, frozenset({0}))
    if any(each.each is not None and each.each.value < 0 for each in found.phases):
        yield f"A cost below 0: there {bot} chooses better."
    for one in found.examples:
        yield _example(one, material)


def _example(one: Compared, material: Material) -> str:
    where = "pass" if one.question == 0 else f"trick {one.question - 1}"
    names = Relabelling.of(material.records[one.match].setup.suits).names
    chosen, other = (" ".join(names(cards)) for cards in (one.chosen, one.other))
    return prose(
        f"{one.cost:.1f} ± {one.error:.1f} points: match {material.numbers[one.match]}, round {one.round}, "
        f"{where}, seat {one.seat}: {chosen}; it would have chosen {other}"
    )


def _points(estimate: Estimate | None) -> str:
    if estimate is None:
        return "-"
    return f"{estimate.value:z.2f}" + ("" if estimate.error is None else f" ± {estimate.error:.2f}")
