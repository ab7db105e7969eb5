"""`arena replay --bot`: asks a bot the questions of a recorded match again, and compares the answers."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from arena.cli.exits import NO
from arena.cli.layout import columns, plain
from arena.cli.options import BotWishes, bots_ready

if TYPE_CHECKING:
    from arena.verify.match_file import MatchFile
    from arena.workbench.bots import Bot
    from arena.workbench.check.script import Failed
    from arena.workbench.relive import Again, Asked, Place

__all__ = ["relive_match", "wanted_place"]

_START_SECONDS = 600.0
"""The time to start, long enough for a bot under a debugger. All other clocks are off."""


def wanted_place(text: str) -> Place:
    """Return the place that ROUND:TRICK names; "2:pass" is the pass of round 2. Raises UsageError."""
    from arena.workbench.relive import Place

    number, _, trick = text.partition(":")
    if number.isdecimal() and (trick.isdecimal() or trick == "pass"):
        return Place(int(number), 0 if trick == "pass" else int(trick) + 1)
    raise click.UsageError(f"--break {text}: expected ROUND:TRICK, both from 0, such as 2:5, or 2:pass")


def relive_match(
    match: MatchFile,
    given: str,
    seat: int | None,
    stop_before: Place | None,
    *,
    sandbox: str,
    as_json: bool,
) -> int:
    """Ask the bot the questions of the match, print the result, and return the exit code."""
    from arena.workbench.check.script import Failed
    from arena.workbench.relive import relive

    wishes = BotWishes(start_seconds=_START_SECONDS, memory_mib=1 << 20, sandbox=sandbox)
    answers: list[Again] = []
    failed: Failed | None = None
    with bots_ready([given], wishes) as (bot,):
        chosen = _seat(match, bot, seat)
        questions = _questions(match, chosen, stop_before)
        if not as_json:
            name = plain(match.names[chosen])
            click.echo(f"seat {chosen} ({name}), {len(questions)} questions, answered by {plain(bot.name)}:")

        def told(again: Again) -> None:
            answers.append(again)
            if not as_json and not again.alike:
                click.echo(_difference(again))

        command = replace(bot.command, memory_mib=0)
        try:
            relive(replace(bot, command=command), questions, told, stop_before, _stopped)
        except Failed as error:
            failed = error
    if as_json:
        click.echo(json.dumps(_document(answers, len(questions), failed), indent=2, ensure_ascii=False))
    else:
        click.echo(_summary(answers, failed))
    return 0 if failed is None and all(map(_is_well, answers)) else NO


def _is_well(again: Again) -> bool:
    """Return whether the bot answers as it did then, or legally where there was a fault."""
    return again.alike or (again.asked.then is None and again.illegal is None)


def _seat(match: MatchFile, bot: Bot, wanted: int | None) -> int:
    """Return the seat to take: the wanted one, or that of the bot with the same name."""
    from arena.league.texts import folded

    names, seats = match.names, match.record.seats
    if wanted is not None:
        if wanted < len(names):
            return wanted
        raise click.UsageError(f"--seat {wanted}: the match has the seats 0 to {len(names) - 1}")
    own = {folded(bot.name), bot.command.bot}
    found = [seat for seat, name in enumerate(names) if folded(name) in own or seats[seat].bot in own]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"{seat} {plain(name)}" for seat, name in enumerate(names))
    raise click.UsageError(
        f"which seat? {bot.name} does not name exactly one bot of the match; give --seat: {listed}"
    )


def _questions(match: MatchFile, seat: int, stop_before: Place | None) -> list[Asked]:
    from arena.workbench.relive import asked_of

    questions = asked_of(match.record, seat)
    if not questions:
        raise click.UsageError(f"--seat {seat}: {plain(match.names[seat])} was asked nothing in this match")
    if stop_before is not None and stop_before not in [asked.place for asked in questions]:
        last = questions[-1].place
        raise click.UsageError(
            f"--break: seat {seat} was not asked at {stop_before}; its last question is at {last}"
        )
    return questions


async def _stopped(pid: int, asked: Asked) -> None:
    """Wait for Enter, or for SIGCONT to this process."""
    import trio

    from protocol.refusal import readable

    click.echo(
        f"stopped before {asked.place}; the bot is process {pid}: attach a debugger to it, then press Enter "
        f"(or: kill -CONT {os.getpid()})\n  question  {readable(dict(asked.message))}",
        err=True,
    )
    with trio.open_signal_receiver(signal.SIGCONT) as signals:
        async with trio.open_nursery() as nursery:

            async def heed_signal() -> None:
                await anext(signals)
                nursery.cancel_scope.cancel()

            nursery.start_soon(heed_signal)
            if await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True):
                nursery.cancel_scope.cancel()


def _difference(again: Again) -> str:
    from protocol.refusal import readable

    asked = again.asked
    if asked.then is not None:
        then = " ".join(asked.then)
    elif asked.fault is not None:
        then = plain(f"a fault, {asked.fault.kind.value}: {asked.fault.reason}")
    else:
        then = "nothing"
    now = " ".join(again.now) + (f"  ILLEGAL: {again.illegal}" if again.illegal else "")
    rows = [("  now", now), ("  then", then), ("  question", readable(dict(asked.message)))]
    return "\n".join([str(asked.place), *columns(rows)])


def _summary(answers: Sequence[Again], failed: Failed | None) -> str:
    from arena.cli.author.check_text import evidence_lines

    alike = sum(again.alike for again in answers)
    mended = sum(again.asked.then is None for again in answers)
    slowest = max((again.seconds for again in answers), default=0.0)
    answered = "1 answer" if len(answers) == 1 else f"{len(answers)} answers"
    text = f"{answered}: {alike} as then, {len(answers) - alike - mended} different"
    text += f", {mended} where there was a fault" if mended else ""
    text += f"; the slowest took {1000 * slowest:.1f} ms"
    if failed is None:
        return text
    return "\n".join([text, "then it stopped answering:", *evidence_lines(failed.evidence, "  ")])


def _document(answers: Sequence[Again], asked: int, failed: Failed | None) -> dict[str, object]:
    from arena.cli.author.check_text import evidence_json

    return {
        "questions": asked,
        "alike": sum(again.alike for again in answers),
        "differences": [
            {
                "round": again.asked.place.round,
                "trick": again.asked.place.question - 1 if again.asked.place.question else None,
                "now": list(again.now),
                "then": None if again.asked.then is None else list(again.asked.then),
                "fault_then": None if again.asked.fault is None else again.asked.fault.kind.value,
                "illegal": again.illegal,
                "question": dict(again.asked.message),
                "seconds": again.seconds,
            }
            for again in answers
            if not again.alike
        ],
        "failed": None if failed is None else evidence_json(failed.evidence),
    }
