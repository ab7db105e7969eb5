"""One match between bots without a league, a database or a file, as `arena play` plays it. Prints nothing."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TypeAlias

import trio

from arena.bot.process import BotProcess, StartFailure
from arena.bot.roll_call import causes, not_ready
from arena.deals import Deals, Derivation, MatchKey, seeded_secret
from arena.errors import BotsBroken, one_error
from arena.linux.alarm import run
from arena.linux.strays import adopting_orphans
from arena.match.faults import FaultKind
from arena.match.record import MatchRecord, Terms
from arena.match.stand_in import from_deals
from arena.referee.jobs import MatchJob, Setup
from arena.referee.match_setup import match_setup
from arena.referee.playing_loop import play_one
from arena.referee.table import Player, Table
from arena.workbench.bots import Bot
from arena.workbench.tap import TappedChannel
from protocol.messages import PROTOCOL, Ready

__all__ = ["Overheard", "Played", "Rules", "new_seed", "play_match"]

Overheard: TypeAlias = Callable[[int, bool, bytes], None]
"""A function that is told of each line: the seat, whether its bot wrote the line, and the bytes without the
newline."""

_KEY = MatchKey(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a match: the number of rounds, the clocks and penalties, and the seed of all deals."""

    rounds: int
    terms: Terms
    seed: str


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: its record and, by seat, what each bot said of itself.

    `kept_back`: by seat, how many bytes of answers came only when the bot's input had ended, where it had
    given no answer in time: it does not flush its output, or reads ahead.
    """

    record: MatchRecord
    ready: tuple[Ready, ...]
    kept_back: Mapping[int, int]


def new_seed() -> str:
    """Return a random seed, short enough to be typed again."""
    return secrets.token_hex(4)


def play_match(bots: Sequence[Bot], rules: Rules, overheard: Overheard) -> Played:
    """Play one match and return how it went; bot i sits at seat i.

    Every process has ended when the function returns or raises. Raises BotsBroken, with the causes, when a
    bot does not become ready.
    """
    with one_error(), adopting_orphans():
        return run(_play, bots, rules, overheard)


async def _play(bots: Sequence[Bot], rules: Rules, overheard: Overheard) -> Played:
    commands = tuple(bot.command for bot in bots)
    arena = version("papayoo-arena")
    setup = Setup(commands, rules.terms, rules.rounds, None, None, together=True, arena=arena)
    started: dict[int, BotProcess | StartFailure] = {}
    async with trio.open_nursery() as nursery:
        try:
            await _start_all(bots, arena, nursery, overheard, started)
            _refuse_broken(bots, started)
            record = await _at_table(setup, rules.seed, started, nursery)
        finally:
            await _end_all(started)
            nursery.cancel_scope.cancel()
    processes = [process for _, process in sorted(started.items()) if isinstance(process, BotProcess)]
    silent = {fault.seat for fault in record.faults if fault.kind is FaultKind.TIMEOUT}
    return Played(
        record,
        tuple(process.ready for process in processes if process.ready is not None),
        {
            seat: len(process.last_words)
            for seat, process in enumerate(processes)
            if seat in silent and process.last_words.count(b"\n") > 1
        },
    )


async def _at_table(
    setup: Setup, seed: str, started: Mapping[int, BotProcess | StartFailure], nursery: trio.Nursery
) -> MatchRecord:
    # The older derivation, so that a seed deals the cards that it always dealt.
    deals = Deals(seeded_secret(seed, 0), Derivation.PAPAYOO_1)
    job = MatchJob(_KEY, tuple(command.bot for command in setup.commands))
    players = [Player(bot, started[seat]) for seat, bot in enumerate(job.seats)]

    def end(process: BotProcess, reason: str) -> None:
        nursery.start_soon(process.end, reason)

    table = Table(match_setup(setup, deals, job), from_deals(deals, _KEY), players, end)
    return await play_one(table, _KEY, setup.sandbox, together=setup.together)


async def _start_all(
    bots: Sequence[Bot],
    arena: str,
    watchers: trio.Nursery,
    overheard: Overheard,
    started: dict[int, BotProcess | StartFailure],
) -> None:
    """Start every bot, and add each to `started`, by seat, as soon as it is ready or has failed.

    The caller passes the dict in, so that it can end the bots that did start when this is cancelled.
    """
    hello: dict[str, object] = {"protocol": PROTOCOL, "arena": arena, "tables_max": 1}

    async def start(seat: int) -> None:
        hear = partial(overheard, seat)
        started[seat] = await BotProcess.start(
            bots[seat].command, watchers, hello, lambda channel: TappedChannel(channel, hear)
        )

    async with trio.open_nursery() as nursery:
        for seat in range(len(bots)):
            nursery.start_soon(start, seat)


async def _end_all(started: Mapping[int, BotProcess | StartFailure]) -> None:
    # Shielded: after Ctrl-C no bot may be left behind either.
    with trio.CancelScope(shield=True):
        async with trio.open_nursery() as nursery:
            for process in started.values():
                if isinstance(process, BotProcess):
                    nursery.start_soon(process.end, "the match is over")


def _refuse_broken(bots: Sequence[Bot], started: Mapping[int, BotProcess | StartFailure]) -> None:
    failed = {
        bots[seat].command.bot: process
        for seat, process in sorted(started.items())
        if isinstance(process, StartFailure)
    }
    if failed:
        table = causes([bot.command for bot in bots], failed)
        raise BotsBroken(f"{not_ready(len(failed), len(bots))}; nothing was played.\n{table}")
