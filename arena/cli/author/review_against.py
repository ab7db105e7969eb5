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

from arena.cli.layout import counted, plain, prose, table
from arena.cli.options import BotWishes, bots_ready, say
from arena.errors import UsageError
from arena.match.relabel import Relabelling
from arena.review.against import Against, Answered, Compared, against
from arena.review.clusters import Estimate

if TYPE_CHECKING:
    from arena.match.record import MatchRecord
    from arena.workbench.bots import Bot
    from arena.workbench.review_material import Material
    from arena.workbench.review_run import Limits

__all__ = ["review_against"]

_START_SECONDS: Final = 60.0


class _Asking:
    """One other bot, and what it has answered so far."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.exact = True
        self.answered: list[Answered] = []

    def ask(self, record: MatchRecord, seat: int, limits: Limits) -> None:
        """Put one match to it; the first one twice, to see whether it answers the same again."""
        from arena.workbench.against import answered, answers_of
        from arena.workbench.check.script import Failed

        try:
            answers = answers_of(self.bot, record, seat)
            if not self.answered:
                self.exact = answers == answers_of(self.bot, record, seat)
        except Failed as failed:
            raise UsageError(f"{self.bot.name} does not answer: {failed.evidence.found}") from None
        self.answered += answered(record, seat, answers, limits.worlds, limits.seed)

    def summed(self) -> Against:
        return against(self.bot.name, self.answered, self.exact)


def review_against(
    material: Material, given: Sequence[str], limits: Limits, sandbox: str, *, as_json: bool
) -> None:
    """Ask the given bots what the reviewed bot was asked, match by match within the time, and print the sum.

    Ctrl-C ends the asking; what came of it until then is printed.
    """
    wishes = BotWishes(start_seconds=_START_SECONDS, memory_mib=1 << 20, sandbox=sandbox)
    with bots_ready(given, wishes) as bots:
        asking = [_Asking(bot) for bot in bots]
        with suppress(KeyboardInterrupt):
            for record, seat in _in_time(material, limits):
                for one in asking:
                    one.ask(record, seat, limits)
    found = [one.summed() for one in asking]
    if as_json:
        click.echo(json.dumps([asdict(each) for each in found], indent=2, ensure_ascii=False))
    else:
        click.echo("\n\n".join("\n".join(_lines(each, material)) for each in found))


def _in_time(material: Material, limits: Limits) -> Iterator[tuple[MatchRecord, int]]:
    """Yield matches with the bot's seat, in the order of the seed, until time is over: at least one."""
    records = list(material.records.values())
    Random(f"{limits.seed}/against").shuffle(records)  # noqa: S311 - the same order each time
    end = None if limits.seconds is None else time.monotonic() + limits.seconds
    for number, record in enumerate(records):
        if number and end is not None and time.monotonic() >= end:
            return
        say(f"match {number + 1} of {len(records)}")
        yield record, next(seat for seat, one in enumerate(record.seats) if one.bot == material.bot)


def _lines(found: Against, material: Material) -> Iterator[str]:
    bot, other = plain(material.names.get(material.bot, material.bot)), plain(found.name)
    share = f" ({found.differ / found.asked:.0%})" if found.asked else ""
    yield prose(
        f"{other} would have chosen otherwise than {bot} in {found.differ:,} of "
        f"{counted(found.asked, 'decision')} with a choice{share}, in {counted(found.rounds, 'round')}."
        + (f" {found.illegal:,} of its answers were illegal." if found.illegal else "")
    )
    if not found.exact:
        yield prose(
            "Not exact: asked the same twice, it answered differently. It looks at a clock or throws dice of "
            "its own."
        )
    if found.a_round is not None:
        value, error = found.a_round.value, found.a_round.error
        sure = "" if error is None else f" ± {error:.2f}"
        yield prose(
            f"With its answers, {bot} would have had {abs(value):.2f}{sure} points a round "
            f"{'fewer' if value >= 0 else 'more'}: each decision taken for itself, and the round played on "
            "by the arena's quick policy."
        )
    rows = [
        (each.phase.value, f"{each.asked:,}", f"{each.differ:,}", _points(each.each)) for each in found.phases
    ]
    yield ""
    yield from table(("phase", "choices", "different", "costs each"), rows, frozenset({0}))
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
