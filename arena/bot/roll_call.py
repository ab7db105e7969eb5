"""The roll call: starts every bot once, so that no league begins with a broken one. Plays nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import trio

from arena.bot.launch import BotCommand
from arena.bot.process import BotProcess, StartFailure
from protocol.messages import PROTOCOL, Ready
from protocol.refusal import visible

_STARTS_PER_CORE = 3
"""The most starts for each core that go on at once, so that some bots that hang do not hold up the others. A
deadline moves by what others had of the core, so nobody fails here who could become ready alone."""
_STDERR_LETTERS = 200
_STDERR_LINES = 8


@dataclass(frozen=True, slots=True)
class RollCall:
    """The result of a roll call, by bot id: what each ready bot said of itself, and why the others failed."""

    ready: Mapping[str, Ready]
    failed: Mapping[str, StartFailure]


async def call_the_roll(
    commands: Sequence[BotCommand],
    arena: str,
    unbuilt: Mapping[str, StartFailure] | None = None,
    tables: int = 1,
) -> RollCall:
    """Start every bot, several side by side, and end it again. Return who is ready.

    `unbuilt`: the bots that could not be built, with the failures. They are not started. `tables`: the most
    tables at which a process may be asked to play at once, as the bots are told. Raises OSError when this
    machine has no room for a bot.
    """
    ready: dict[str, Ready] = {}
    failed = dict(unbuilt or {})
    full: list[OSError] = []
    turns = trio.CapacityLimiter(_STARTS_PER_CORE * len(os.sched_getaffinity(0)))
    hello: dict[str, object] = {"protocol": PROTOCOL, "arena": arena, "tables_max": tables}

    async def call(command: BotCommand) -> None:
        async with turns, trio.open_nursery() as watchers:
            try:
                started = await BotProcess.start(command, watchers, hello)
            except OSError as error:
                full.append(error)
                nursery.cancel_scope.cancel()
                return
            if isinstance(started, StartFailure):
                failed[command.bot] = started
            else:
                assert started.ready is not None, "start returns a process that is ready"
                ready[command.bot] = started.ready
                await started.end("the roll call is over")
            watchers.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        for command in commands:
            if command.bot not in failed:
                nursery.start_soon(call, command)
    if full:
        raise full[0]
    return RollCall(ready, failed)


def not_ready(failed: int, bots: int) -> str:
    """Return how many of the bots are not ready, as the beginning of a sentence."""
    return f"{failed} of {bots} bots {'is' if failed == 1 else 'are'} not ready"


def causes(commands: Sequence[BotCommand], failed: Mapping[str, StartFailure]) -> str:
    """Return the table of causes as text, with what each bot said on standard error."""
    lines = []
    for command in commands:
        failure = failed.get(command.bot)
        if failure is None:
            continue
        lines.append(f"  {command.bot}: {failure.reason}")
        lines.append(f"      command: {' '.join(command.argv)}   (in {command.folder})")
        lines += [f"      {line}" for line in last_words(failure)]
    return "\n".join(lines)


def last_words(failure: StartFailure) -> tuple[str, ...]:
    """Return what a bot that is not ready sent and wrote on standard error, as printable lines."""
    sent = [f"it sent: {failure.sent}"] if failure.sent else []
    return (*sent, *(f"stderr: {line}" for line in _ends(failure.stderr)))


def _ends(said: str) -> list[str]:
    """Return the first lines, where compilers name the mistake, and the last, where tracebacks do."""
    lines = [visible(line.expandtabs(4))[:_STDERR_LETTERS] for line in said.rstrip().splitlines()]
    left = len(lines) - 2 * _STDERR_LINES
    return lines if left <= 1 else [*lines[:_STDERR_LINES], f"({left} lines)", *lines[-_STDERR_LINES:]]
