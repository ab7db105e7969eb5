"""`arena replay --bot`: asks a bot the questions of a recorded match again, and compares the answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import click
import trio

from arena.cli.author.check_text import evidence_json, evidence_lines
from arena.cli.exits import NO
from arena.cli.layout import columns, plain
from arena.cli.options import BotWishes, bots_ready, show
from arena.league.texts import folded
from arena.verify.match_file import MatchFile
from arena.workbench.bots import Bot
from arena.workbench.replay import Asked, ask_again, asked_of
from arena.workbench.sparring import Evidence, Failed
from protocol.refusal import readable

_START_SECONDS = 600.0
"""The time to start, long enough for a bot under a debugger. All other clocks are off."""


def replay_match(
    match: MatchFile, given: str, seat: int | None, stop_at: str | None, *, sandbox: str, as_json: bool
) -> int:
    """Ask the bot the questions of the match, print the result, and return the exit code."""
    stop_before = None if stop_at is None else _wanted_place(stop_at)
    wishes = BotWishes(start_seconds=_START_SECONDS, memory_mib=1 << 20, sandbox=sandbox)
    with bots_ready([given], wishes) as (bot,):
        chosen = _seat(match, bot, seat)
        questions = _questions(match, chosen, stop_before)
        if not as_json:
            name = plain(match.names[chosen])
            click.echo(f"seat {chosen} ({name}), {len(questions)} questions, answered by {plain(bot.name)}:")

        answers: list[Asked] = []
        failed: Evidence | None = None

        def told(asked: Asked) -> None:
            answers.append(asked)
            if not as_json and not asked.alike:
                click.echo(_difference(asked))

        async def before(pid: int, asked: Asked) -> None:
            if asked.place == stop_before:
                await _stop(pid, asked)

        try:
            ask_again(bot, questions, told, before)
        except Failed as error:
            failed = error.evidence
    show(lambda: _document(answers, len(questions), failed), lambda: _summary(answers, failed), as_json)
    return 0 if failed is None and all(map(_is_well, answers)) else NO


def _wanted_place(text: str) -> tuple[int, int]:
    """Return the place that ROUND:TRICK names; "2:pass" is the pass of round 2. Raises UsageError."""
    number, _, trick = text.partition(":")
    if number.isdecimal() and (trick.isdecimal() or trick == "pass"):
        return int(number), 0 if trick == "pass" else int(trick) + 1
    raise click.UsageError(f"--break {text}: expected ROUND:TRICK, both from 0, such as 2:5, or 2:pass")


def _is_well(asked: Asked) -> bool:
    """Return whether the bot answers as it did then, or legally where there was a fault."""
    return asked.alike or (asked.then is None and asked.illegal is None)


def _seat(match: MatchFile, bot: Bot, wanted: int | None) -> int:
    """Return the seat to take: the wanted one, or that of the bot with the same name."""
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


def _questions(match: MatchFile, seat: int, stop_before: tuple[int, int] | None) -> list[Asked]:
    questions = asked_of(match.record, seat)
    if not questions:
        raise click.UsageError(f"--seat {seat}: {plain(match.names[seat])} was asked nothing in this match")
    if stop_before is not None and stop_before not in [asked.place for asked in questions]:
        where = replace(questions[-1], place=stop_before).where
        raise click.UsageError(
            f"--break: seat {seat} was not asked at {where}; its last question is at {questions[-1].where}"
        )
    return questions


async def _stop(pid: int, asked: Asked) -> None:
    """Wait for Enter."""
    click.echo(
        f"stopped before {asked.where}; the bot is process {pid}: attach a debugger to it, then press Enter\n"
        f"  question  {readable(dict(asked.message))}",
        err=True,
    )
    await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)


def _difference(asked: Asked) -> str:
    if asked.then is not None:
        then = " ".join(asked.then)
    elif asked.fault is not None:
        then = plain(f"a fault, {asked.fault.kind.value}: {asked.fault.reason}")
    else:
        then = "nothing"
    now = " ".join(asked.now) + (f"  ILLEGAL: {asked.illegal}" if asked.illegal else "")
    rows = [("  now", now), ("  then", then), ("  question", readable(dict(asked.message)))]
    return "\n".join([asked.where, *columns(rows)])


def _summary(answers: Sequence[Asked], failed: Evidence | None) -> str:
    alike = sum(asked.alike for asked in answers)
    mended = sum(asked.then is None for asked in answers)
    slowest = max((asked.seconds for asked in answers), default=0.0)
    answered = "1 answer" if len(answers) == 1 else f"{len(answers)} answers"
    text = f"{answered}: {alike} as then, {len(answers) - alike - mended} different"
    text += f", {mended} where there was a fault" if mended else ""
    text += f"; the slowest took {1000 * slowest:.1f} ms"
    if failed is None:
        return text
    return "\n".join([text, "then it stopped answering:", *evidence_lines(failed, "  ")])


def _document(answers: Sequence[Asked], count: int, failed: Evidence | None) -> dict[str, object]:
    return {
        "questions": count,
        "alike": sum(asked.alike for asked in answers),
        "differences": [
            {
                "round": asked.place[0],
                "trick": asked.place[1] - 1 if asked.place[1] else None,
                "now": list(asked.now),
                "then": None if asked.then is None else list(asked.then),
                "fault_then": None if asked.fault is None else asked.fault.kind.value,
                "illegal": asked.illegal,
                "question": dict(asked.message),
                "seconds": asked.seconds,
            }
            for asked in answers
            if not asked.alike
        ],
        "failed": None if failed is None else evidence_json(failed),
    }
