"""One bot alone at the real referee's table: its process, the matches that it plays, and what was wrong.

The stand-in plays at all other seats. The referee judges the bot as in a league; a `Relay` between the two
makes the match hostile where that is asked for. Which matches are played, and what follows from them, is for
`check`; `arena replay --bot` puts recorded questions by the same means. Prints nothing.

    Exception
      Failed      the bot has not done what it should; carries the evidence
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import trio

from arena.bot.answers import Wrong
from arena.bot.channel import Channel
from arena.bot.launch import BotCommand
from arena.bot.process import BotProcess, StartFailure
from arena.deals import MatchKey, PhaseDeals, seeded_secret
from arena.linux.folders import middle_left_out
from arena.linux.process_tree import below
from arena.match.faults import Fault, FaultKind
from arena.match.record import MatchRecord, MatchSetup, Terms
from arena.match.stand_in import STAND_IN, from_deals
from arena.referee.playing_loop import PlayingLoop
from arena.referee.table import Player, Table
from arena.sandbox import NONE
from arena.workbench.tap import Message, Relay
from protocol.codec import decode
from protocol.messages import CardAnswer, CardsAnswer, read_answer
from protocol.refusal import BadMessage, printable

TOLD_MS = 250
"""The time for a decision that a bot is told of. It is short, for some bots use all the time they have."""
_DEALS = PhaseDeals(seeded_secret("arena check", 0))
_TERMS = Terms(TOLD_MS + 2000, 0, 40, 1_000_000)
"""The referee waits longer than the bot is told, for lateness has a step of its own. So many faults are
allowed that no match is handed over for their number: a check reports every mistake."""
_STDERR_LINES = 12
_TIME_IS_UP = "the match is broken off"
_OVER = "the check is over"
_BASE64 = re.compile(rb"[A-Za-z0-9+/=]*")
_WRAPPED_AT = (64, 76)
"""The lengths at which libraries break lines of base64, as PEM and MIME require."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a failure: what was sent (exact bytes), what was expected, and what came instead."""

    expected: str
    found: str
    sent: bytes = b""
    came: bytes | None = None
    stderr: str = ""


class Failed(Exception):  # noqa: N818 - it says what happened
    """The bot has not done what it should."""

    def __init__(self, evidence: Evidence) -> None:
        super().__init__(evidence.found)
        self.evidence = evidence


@dataclass(frozen=True, slots=True)
class Game:
    """A match to be played. `number` determines the boards, the letters of the suits and the bot's seed."""

    number: int
    players: int
    seat: int
    rounds: int = 1
    terms: Terms = _TERMS

    @property
    def key(self) -> MatchKey:
        """Return the key from which boards, suits and seeds follow."""
        return MatchKey(0, self.number, 0)

    def table(self, process: BotProcess, end: Callable[[BotProcess, str], None]) -> Table:
        """Return the referee's table of it, with the bot at its seat; equal games have equal deals."""
        key, deals = self.key, _DEALS.session(0, self.number)
        setup = MatchSetup(
            boards=tuple(deals.board(number, self.players) for number in range(self.rounds)),
            suits=deals.suits(key),
            seeds=tuple(deals.bot_seed(key, seat) for seat in range(self.players)),
            terms=self.terms,
        )
        players = [Player(STAND_IN, None) for _ in range(self.players)]
        players[self.seat] = Player("bot", process)
        return Table(setup, from_deals(deals, key), players, end)


@dataclass(slots=True)
class Decision:
    """A question as the bot got it, with the lines before it in `sent`, and its answer, if one came."""

    question: Message
    sent: bytes
    came: bytes | None = None
    cards: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """Return 0 for a pass, t + 1 for the play to trick t, as a `Fault` has it."""
        return 0 if self.question["type"] == "pass" else self.question["trick_number"] + 1


def wanted(question: Message) -> str:
    """Return what the answer to a question has to be, but for its cards."""
    kind = "cards" if question["type"] == "pass" else "card"
    return f'one line: "{kind}", with the id of the question'


def _legal(question: Message) -> str:
    if question["type"] == "pass":
        return f"{question['count']} different cards of the hand: {' '.join(question['hand'])}"
    return f"one of the legal cards: {' '.join(question['legal'])}"


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played. `cut`: the time for it was up, and the rest was not put to the bot.

    `decisions`: the bot's own, as far as it was asked. `events`: the kinds of events that it was told of.
    `came`: all its lines.
    """

    game: Game
    record: MatchRecord
    cut: bool
    decisions: tuple[Decision, ...]
    events: frozenset[str]
    came: tuple[bytes, ...]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Return what the referee found wrong."""
        return tuple(fault for fault in self.record.faults if fault.reason != _TIME_IS_UP)

    def decision_of(self, fault: Fault) -> Decision | None:
        """Return the decision at which a fault was found, None where the bot ended before it got it all."""
        place = fault.round, fault.question
        return next((each for each in self.decisions if (each.question["round"], each.number) == place), None)

    def evidence(self, fault: Fault) -> Evidence:
        """Return what the referee has found, with the bytes of the question and of the answer."""
        decision, seat = self.decision_of(fault), self.record.seats[self.game.seat]
        stderr = last_lines(seat.stderr_head + seat.stderr_tail)
        if decision is None:
            return Evidence("that it waits for its next question", fault.reason, stderr=stderr)
        if fault.kind is FaultKind.ILLEGAL:
            return Evidence(_legal(decision.question), fault.reason, decision.sent, decision.came, stderr)
        came = next((line for line in self.came if fault.sent and printable(line) == fault.sent), None)
        return Evidence(wanted(decision.question), fault.reason + _hint(came), decision.sent, came, stderr)


def _hint(line: bytes | None) -> str:
    """Return what is probably wrong with a line that is no message, or an empty text."""
    if not line or len(line) not in _WRAPPED_AT or not _BASE64.fullmatch(line):
        return ""
    try:
        decode(line)
    except BadMessage:
        return f". It has just {len(line)} characters: does your base64 break its lines? Switch that off."
    return ""


def last_lines(text: str) -> str:
    """Return the end of what a process wrote to standard error."""
    return "\n".join(map(middle_left_out, text.rstrip().splitlines()[-_STDERR_LINES:]))


@dataclass(slots=True)
class _Lines:
    """The lines to and from a process, without their newlines, as (whether the bot wrote it, line)."""

    heard: list[tuple[bool, bytes]] = field(default_factory=list)

    def hear(self, from_bot: bool, line: bytes) -> None:
        self.heard.append((from_bot, line))

    def of_bot(self, start: int) -> Iterator[bytes]:
        return (line for from_bot, line in self.heard[start:] if from_bot)

    def of_match(self, start: int, table: int | None) -> tuple[tuple[Decision, ...], frozenset[str]]:
        """Return the decisions of a match, and the kinds of events that the bot was told of there.

        `table`: that of the match, None where the bot plays no other at the same time.
        """
        decisions: dict[str, Decision] = {}
        events: set[str] = set()
        news = b""
        for from_bot, line in self.heard[start:]:
            if from_bot:
                _take_answer(line, decisions)
                continue
            message: Message = decode(line)
            news += line + b"\n"
            here = table in (None, message.get("table"))
            if here:
                events |= {_kind(event) for event in message.get("events", ())}
            if message["type"] in ("pass", "play"):
                if here:
                    decisions[message["id"]] = Decision(message, news)
                news = b""
        return tuple(decisions.values()), frozenset(events)


def _take_answer(line: bytes, decisions: Mapping[str, Decision]) -> None:
    try:
        answer = read_answer(line)
    except BadMessage:
        return
    decision = decisions.get(answer.id)
    if decision is not None and decision.came is None and isinstance(answer, CardAnswer | CardsAnswer):
        decision.came, decision.cards = line, answer.cards


def _kind(event: Mapping[str, object]) -> str:
    return f"{event['event']} by the stand-in" if event.get("by") == "stand_in" else str(event["event"])


class Sparring:
    """The processes of one bot, one at a time. `close` must be called at the end.

    `starts`: the seconds of every start. `memory`: the most resident bytes that were seen.
    """

    def __init__(self, command: BotCommand, nursery: trio.Nursery, hello: Mapping[str, object]) -> None:
        self.starts: list[float] = []
        self.memory = 0
        self._command = command
        self._nursery = nursery
        self._hello = dict(hello)
        self._process: BotProcess | None = None
        self._relay: Relay | None = None
        self._lines = _Lines()
        self._judged = 0
        """The lines of which nothing more is to be said."""

    # A process

    async def start(self) -> BotProcess:
        """End the process, if there is one, and return another. Raises Failed unless it becomes ready."""
        await self.close()
        self._lines = lines = _Lines()
        began = trio.current_time()
        started = await BotProcess.start(self._command, self._nursery, self._hello, self._between)
        if isinstance(started, StartFailure):
            # Only the first line counts, for `bye` may follow it.
            hello = next((line + b"\n" for from_bot, line in lines.heard if not from_bot), b"")
            said = next(lines.of_bot(0), self.relay.partial if self._relay else b"") or None
            expected = "one line: `ready`, with the id of the question"
            raise Failed(Evidence(expected, started.reason, hello, said, last_lines(started.stderr)))
        self.starts.append(trio.current_time() - began)
        self._process = started
        self._judged = next(place for place, (from_bot, _) in enumerate(lines.heard, 1) if from_bot)
        self.look()
        return started

    def _between(self, channel: Channel) -> Channel:
        lines = self._lines
        self._relay = Relay(channel, lambda from_bot, line: lines.hear(from_bot, line))
        return self._relay

    async def ready_process(self) -> BotProcess:
        """Return the process, a new one where there is none that can be used. Raises Failed."""
        return self._process if self._process and self._process.usable else await self.start()

    @property
    def process(self) -> BotProcess:
        """Return the process, which must have been started."""
        assert self._process is not None, "it was started"
        return self._process

    @property
    def relay(self) -> Relay:
        """Return the relay before the process, which must have been started."""
        assert self._relay is not None, "it was started"
        return self._relay

    async def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            await process.end(_OVER)

    def look(self) -> int:
        """Return the resident bytes of the process and all that it has started; 0 without a process."""
        process = self._process
        memory = 0 if process is None else sum(member.resident for member in below(process.pid))
        self.memory = max(self.memory, memory)
        return memory

    def stderr(self) -> str:
        """Return the end of what the process wrote to standard error since its last match."""
        if self._process is None:
            return ""
        self._process.read_stderr()
        return last_lines(self._process.stderr.head + self._process.stderr.tail)

    # Without a question

    async def silence(self, seconds: float, when: str) -> None:
        """Wait, and raise Failed if the bot says something meanwhile, has said it unasked, or ends."""
        await trio.sleep(seconds)
        ended = self.relay.read_nowait() == b""
        came = next(self._lines.of_bot(self._judged), self.relay.partial or None)
        if came is not None:
            found = f"it said something {when}, without being asked"
            expected = "nothing: each question gets one line, and nothing else does"
            raise Failed(Evidence(expected, found, b"", came, self.stderr()))
        if ended:
            how = await self.process.how_it_ended() or "the process closed its standard output"
            raise Failed(Evidence("that it waits for more", f"{how} ({when})", stderr=self.stderr()))

    def last_word(self) -> bytes | None:
        """Return what the bot has said since its last answer, if anything."""
        self.relay.read_nowait()
        return next(self._lines.of_bot(self._judged), None)

    # Matches

    async def begin(self, game: Game) -> None:
        """Tell the bot that a match begins, and no more."""
        process = self.process
        table = game.table(process, self._end)
        table.begin()
        table.due()
        process.link.flush()

    async def play(
        self,
        *games: Game,
        seconds: float = math.inf,
        change: Callable[[Message], Iterable[Message]] | None = None,
        ids: Iterable[str] = (),
        cuts: Iterable[Sequence[int]] = (),
        together: bool = False,
    ) -> list[Played]:
        """Play these matches at the same time. After so many seconds they are broken off.

        The bot is told of TOLD_MS for a decision, unless `change` says what is sent instead of each message;
        for the others see `Relay`. Raises Failed when the bot does not start.
        """
        process, start = await self.ready_process(), self._judged
        self.relay.begin(change or tell_time, ids, cuts, together=together)
        tables = [game.table(process, self._end) for game in games]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_break_off, process, seconds)
            await PlayingLoop(_ignore, _give_up, together=True).play(tables)
            nursery.cancel_scope.cancel()
        self._judged = len(self._lines.heard)
        alone = len(games) == 1
        played = [self._played(*of, start, alone=alone) for of in zip(games, tables, strict=True)]
        self.look()
        if any(each.record.seats[each.game.seat].hand_over for each in played):
            await self.close()  # its match was over before the others'
        return played

    def _played(self, game: Game, table: Table, start: int, *, alone: bool) -> Played:
        record = table.record(game.key, NONE)
        number = None if alone else record.seats[game.seat].table
        decisions, events = self._lines.of_match(start, number)
        cut = any(fault.reason == _TIME_IS_UP for fault in record.faults)
        return Played(game, record, cut, decisions, events, tuple(self._lines.of_bot(start)))

    def _end(self, process: BotProcess, reason: str) -> None:
        self._nursery.start_soon(process.end, reason)


async def _break_off(process: BotProcess, seconds: float) -> None:
    """Have the stand-in play on after so many seconds."""
    await trio.sleep(seconds)
    process.link.end(Wrong(FaultKind.CRASHED, _TIME_IS_UP))


def _ignore(_table: Table) -> None:
    """Every record is asked for at the end."""


def _give_up(_table: Table, error: Exception) -> None:
    raise error


def tell_time(message: Message) -> list[Message]:
    """Return the message with the time for a decision that the bot is told of."""
    return [{**message, "move_ms": TOLD_MS} if "move_ms" in message else message]
