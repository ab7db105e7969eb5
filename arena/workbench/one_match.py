"""One match without a league, a database or a file, as `arena play` plays it: between bots, or with people.

Prints nothing. How a person sees the table and answers is a `Guest`'s own affair.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from itertools import count
from typing import TypeAlias

import trio

from arena.bot.person import Person, Sitter
from arena.bot.process import BotProcess, StartFailure, Tap
from arena.bot.roll_call import causes, not_ready
from arena.deals import MatchKey, PhaseDeals, seeded_secret
from arena.errors import BotsBroken, one_error
from arena.linux.alarm import run
from arena.linux.family import adopting_orphans
from arena.match.faults import FaultKind, HandOver
from arena.match.record import MatchRecord, Terms
from arena.match.stand_in import from_deals
from arena.referee.jobs import MatchJob, Setup, match_setup
from arena.referee.playing_loop import play_one
from arena.referee.table import Player, Table
from arena.sandbox import NONE
from arena.verify.match_file import MatchFile
from arena.workbench.bots import Bot
from arena.workbench.tap import TappedChannel
from protocol.messages import PROTOCOL, Ready

Overheard: TypeAlias = Callable[[int, bool, bytes], None]
"""A function that is told of each line: the seat, whether its bot wrote the line, and the bytes without the
newline."""

Replaced: TypeAlias = Callable[[int, HandOver], None]
"""A function that is told of each bot for which the stand-in plays on: its seat, and why."""

_KEY = MatchKey(0, 0, 0)
_OVER = "the match is over"


@dataclass(frozen=True, slots=True)
class Guest:
    """A person at the table, without a clock unless `clock` says so: then with that of the bots.

    `converse` is called once all bots are ready, and must go on until it has heard `bye`. What it raises ends
    the match. The match begins when `arrived` has returned.
    """

    name: str
    converse: Callable[[Person], Awaitable[None]]
    clock: bool = False
    arrived: Callable[[], Awaitable[None]] = trio.lowlevel.checkpoint


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a match: the number of rounds, the clocks and penalties, and the seed of all deals."""

    rounds: int
    terms: Terms
    seed: str


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: its record and, by seat, what each bot said of itself, or a person might say.

    `kept_back`: by seat, how many bytes of answers came only when the bot's input had ended, where it had
    given no answer in time: it does not flush its output, or reads ahead.
    """

    record: MatchRecord
    ready: tuple[Ready, ...]
    kept_back: Mapping[int, int]


def file_of(names: Sequence[str], played: Played) -> MatchFile:
    """Return what is kept of the match, for `arena replay` and `arena review`. `names`: by seat."""
    return MatchFile(1, tuple(names), played.record)


def play_match(
    bots: Sequence[Bot | Guest],
    rules: Rules,
    overheard: Overheard,
    replaced: Replaced = lambda _seat, _why: None,
) -> Played:
    """Play one match in an event loop of its own, as `play` does, and return how it went."""
    with one_error(), adopting_orphans():
        return run(play, bots, rules, overheard, replaced)


async def play(bots: Sequence[Bot | Guest], rules: Rules, overheard: Overheard, replaced: Replaced) -> Played:
    """Play one match and return how it went; bot i, or person i, sits at seat i.

    `replaced` is told of each bot whose match is over before the others'. Every process has ended when the
    function returns or raises. Raises BotsBroken, with the causes, when a bot does not become ready, and
    whatever a person's `converse` raises.
    """
    started: dict[int, Sitter | StartFailure] = {}
    async with trio.open_nursery() as nursery:
        try:
            await _start_all(bots, nursery, overheard, started)
            _refuse_broken(bots, started)
            for guest in bots:
                if isinstance(guest, Guest):
                    await guest.arrived()
            record = await _at_table(bots, started, rules, replaced, nursery)
        finally:
            await _end_all(started)
            nursery.cancel_scope.cancel()
    silent = {fault.seat for fault in record.faults if fault.kind is FaultKind.TIMEOUT}
    return Played(
        record,
        tuple(_ready(bots[seat], sitter) for seat, sitter in sorted(started.items())),
        {
            seat: len(process.last_words)
            for seat, process in sorted(started.items())
            if isinstance(process, BotProcess)
            if seat in silent and process.last_words.count(b"\n") > 1
        },
    )


def _ready(bot: Bot | Guest, sitter: Sitter | StartFailure) -> Ready:
    """Return what a bot has said of itself, and the same of a person."""
    if isinstance(sitter, BotProcess):
        assert sitter.ready is not None, "it was not refused"
        return sitter.ready
    return Ready("person", bot.name, "")


def _ids(bots: Sequence[Bot | Guest]) -> tuple[str, ...]:
    """Return the ids by seat. A person's is none of a bot's."""
    ids: list[str] = []
    for bot in bots:
        if isinstance(bot, Bot):
            ids.append(bot.command.bot)
            continue
        taken = {*ids, *(other.command.bot for other in bots if isinstance(other, Bot))}
        free = (f"person{number or ''}" for number in count())
        ids.append(next(one for one in free if one not in taken))
    return tuple(ids)


async def _at_table(
    bots: Sequence[Bot | Guest],
    started: Mapping[int, Sitter | StartFailure],
    rules: Rules,
    replaced: Replaced,
    nursery: trio.Nursery,
) -> MatchRecord:
    levels = (bot.command.sandbox.level for bot in bots if isinstance(bot, Bot) and bot.command.sandbox)
    sandbox, ids = next(levels, NONE), _ids(bots)
    setup = Setup((), rules.terms, rules.rounds, None, arena="", sandbox=sandbox)
    deals = PhaseDeals(seeded_secret(rules.seed, 0)).session(_KEY.cycle, _KEY.index)
    players = [Player(bot, started[seat]) for seat, bot in enumerate(ids)]
    match = match_setup(setup, deals, MatchJob(_KEY, ids))

    def end(process: BotProcess, reason: str) -> None:
        nursery.start_soon(process.end, reason)
        seat = next(seat for seat, player in enumerate(players) if player.process is process)
        why = table.handed_over(seat)
        assert why is not None, "only the stand-in ends a process within a match"
        replaced(seat, why)

    no_clock = tuple(seat for seat, bot in enumerate(bots) if isinstance(bot, Guest) and not bot.clock)
    table = Table(replace(match, no_clock=no_clock or None), from_deals(deals, _KEY), players, end)

    async def converse(guest: Guest, person: Person) -> None:
        await guest.converse(person)
        person.leave()  # whoever answers no more, without an error, has left the table

    people = [
        (bot, person)
        for seat, bot in enumerate(bots)
        if isinstance(bot, Guest) and isinstance(person := started[seat], Person)
    ]
    async with trio.open_nursery() as talks:
        for guest, person in people:
            talks.start_soon(converse, guest, person)
        record = await play_one(table, _KEY, sandbox, together=True)
        for _, person in people:
            person.bye(_OVER)
    return record


def _tap(overheard: Overheard, seat: int) -> Tap:
    """Return what is put before the channel of a seat, so that every line is heard."""
    return lambda channel: TappedChannel(channel, partial(overheard, seat))


async def _start_all(
    bots: Sequence[Bot | Guest],
    watchers: trio.Nursery,
    overheard: Overheard,
    started: dict[int, Sitter | StartFailure],
) -> None:
    """Start every bot, and add each to `started`, by seat, as soon as it is ready or has failed; people, too.

    The caller passes the dict in, so that it can end the bots that did start when this is cancelled.
    """
    hello: dict[str, object] = {
        "protocol": PROTOCOL,
        "arena": version("papayoo-arena"),
        "tables_max": 1,
    }

    async def start(seat: int, bot: Bot) -> None:
        started[seat] = await BotProcess.start(bot.command, watchers, hello, _tap(overheard, seat))

    async with trio.open_nursery() as nursery:
        for seat, bot in enumerate(bots):
            if isinstance(bot, Guest):
                started[seat] = Person(_tap(overheard, seat))
            else:
                nursery.start_soon(start, seat, bot)


async def _end_all(started: Mapping[int, Sitter | StartFailure]) -> None:
    # Shielded: after Ctrl-C no bot may be left behind either.
    with trio.CancelScope(shield=True):
        async with trio.open_nursery() as nursery:
            for process in started.values():
                if isinstance(process, BotProcess):
                    nursery.start_soon(process.end, _OVER)


def _refuse_broken(bots: Sequence[Bot | Guest], started: Mapping[int, Sitter | StartFailure]) -> None:
    commands = {seat: bot.command for seat, bot in enumerate(bots) if isinstance(bot, Bot)}
    failed = {
        commands[seat].bot: process
        for seat, process in sorted(started.items())
        if isinstance(process, StartFailure)
    }
    if failed:
        table = causes(list(commands.values()), failed)
        raise BotsBroken(f"{not_ready(len(failed), len(commands))}; nothing was played.\n{table}")
