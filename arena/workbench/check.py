"""The check of a bot against the protocol, in numbered steps. Prints nothing.

The bot plays matches at the real referee's table under conditions that are hostile but legal (`sparring`),
and a step reports what the referee found. What no match shows is looked at directly: silence, rest, and how
the process ends.
"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib.metadata import version
from itertools import count

import trio

from arena.bot.link import GRACE_SECONDS
from arena.bot.process import BotProcess
from arena.bot.waits import read_threads
from arena.errors import one_error
from arena.linux.alarm import run
from arena.linux.family import adopting_orphans
from arena.match.faults import Fault, FaultKind
from arena.match.record import Terms
from arena.match.times import spent_by_seat
from arena.workbench.bots import Bot
from arena.workbench.sparring import Decision, Evidence, Failed, Game, Played, Sparring, tell_time
from arena.workbench.tap import Message
from protocol.codec import encode
from protocol.messages import PROTOCOL, Ready

STEPS = {
    "start": "starts, and says who it is",
    "quiet": "says nothing without being asked",
    "passes": "passes as many cards of its hand as are asked for",
    "leads": "leads with a card of its hand",
    "follows": "follows suit where it can",
    "throws": "plays any other card where it cannot",
    "tables": "plays whole matches at tables of 3 to 8, told of every event",
    "stand_in": "plays on after the stand-in has chosen for it",
    "unknown_keys": "ignores keys that it does not know",
    "unknown_messages": "ignores messages of a type that it does not know",
    "ids": "repeats the id of a question, whatever it is",
    "pieces": "reads a line that comes in pieces",
    "together": "reads lines that come together",
    "several_tables": "plays at several tables at once",
    "clock": "keeps to the time that each question gives",
    "long": "plays long matches, and many, without growing",
    "repeats": "answers the same messages alike, whatever it played before",
    "rests": "rests while it is not asked",
    "end_of_input": "exits at the end of its input",
    "bye": "exits at `bye`",
    "uses": "needs little time to start, and little memory",
}
"""The title of each step by its name, which is the key in JSON, in their order."""

_SIZES = range(3, 9)
_EVENTS = frozenset({"passed", "received", "die", "played", "taken"})
_MATCH_SECONDS = 6.0
"""The seconds that a bot may use for a match; then it is broken off without a failure."""
_QUIET_SECONDS = 0.05
_MOST_TABLES = 8
_AT_ONCE = 4
_LONG_TEXT = 40_000
_PACES_MS = ((500, 0), (100, 0), (30, 1000))
"""(move_ms, bank_ms) of three matches."""
_SURELY_MS = 300
"""A bot that is late although it has more time than this is not just slow."""
_LATE_ALLOWED = 1
"""The late answers in a match that may be the fault of the machine."""
_BUSY_MS = 20.0
"""A wait for a core of so many milliseconds is worth a word."""
_LONG_ROUNDS, _LONG_SECONDS = 40, 8.0
_MANY, _MANY_SECONDS = 20, 4.0
_GROWTH, _GROWTH_FLOOR = 2, 64 << 20
"""The referee's limits: it ends a process after its match that has doubled its memory, beyond these bytes."""
_REPEAT_SECONDS = 10.0
_REST_SECONDS, _REST_SHARE = 0.25, 0.2
_IN_THE_MIDDLE = 8
_ENDING_SECONDS, _AT_BYE_SECONDS = 5.0, 1.5
"""More than a referee grants, which then kills the process; that is no fault. An interpreter may take a while
to end on a busy machine, and only a bot that does not end at all fails."""
_SLOW_START = 0.5
"""A share of the time to become ready: a bot that takes more may be late on a busy machine."""
_MUCH_MEMORY = 0.8
_MIB = 1 << 20

_ODD: list[object] = [
    *(None, True, False, 0, 127, 128, 255, 256, 65535, 65536, 2**32, 2**53 - 1),
    *(-1, -32, -33, -128, -129, -(2**15), -(2**15) - 1, -(2**31), -(2**31) - 1, 1 - 2**53),
    *("", "x" * 31, "x" * 32, "é" * 128, "x" * 5000, [], [0] * 15, [[]] * 16, {}, [[[[[1]]]]]),
    *({f"key {number}": number for number in range(size)} for size in (15, 16, 64)),
]
"""Values in every form in which a referee could write them, for keys that no bot knows."""
_ODD_IDS = (
    "q" * 32, "q" * 31, "0", "~", "false", "null", "-17", "1e5", "[]", '"quoted"', "back\\slash", "a b",
    "#$%&'()*+,",
)  # fmt: skip
"""The longest id comes first, with a pass, where it shows whether a bot's base64 breaks its lines after 76
characters."""
_CUTS = [(1,), (77,), (3, 1), (100, 100, 2), (1, 1, 1)]


class Verdict(StrEnum):
    """The verdict on a step. The values appear in JSON."""

    PASSED = "passed"
    WARNED = "warned"
    """Allowed, but worth knowing."""
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on a step and a short text, with the evidence of a failure or a warning."""

    verdict: Verdict
    text: str
    evidence: Evidence | None = None


def _passed(text: str) -> Finding:
    return Finding(Verdict.PASSED, text)


def _warned(text: str, evidence: Evidence | None = None) -> Finding:
    return Finding(Verdict.WARNED, text, evidence)


def _failed(evidence: Evidence) -> Finding:
    return Finding(Verdict.FAILED, evidence.found, evidence)


def _skipped(why: str) -> Finding:
    return Finding(Verdict.SKIPPED, why)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A step, its number from 1, and its finding."""

    number: int
    step: str
    finding: Finding


@dataclass(slots=True)
class Checked:
    """The results of a bot's check. `ready`: what the bot said of itself, if it started."""

    bot: Bot
    ready: Ready | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    start_seconds: float = 0.0
    memory: int = 0

    def count(self, verdict: Verdict) -> int:
        """Return how many steps had this verdict."""
        return sum(outcome.finding.verdict is verdict for outcome in self.outcomes)


def check_bot(bot: Bot, told: Callable[[Outcome], object], parts: Sequence[Part] | None = None) -> Checked:
    """Check one bot; `told` receives each outcome as soon as it is known. Leaves no process running."""
    with one_error(), adopting_orphans():
        return run(_check, bot, told, PARTS if parts is None else parts)


async def _check(bot: Bot, told: Callable[[Outcome], object], parts: Sequence[Part]) -> Checked:
    # With a key that no bot knows: a bot must ignore unknown keys in the handshake too.
    arena = version("papayoo-arena")
    hello = {"protocol": PROTOCOL, "arena": arena, "tables_max": _MOST_TABLES, "checked": True}
    async with trio.open_nursery() as nursery:
        check = Check(bot, Sparring(bot.command, nursery, hello), told)
        try:
            await check.take(parts)
        finally:
            await check.bot.close()
            nursery.cancel_scope.cancel()
    return check.checked


class Check:
    """The check of one bot. The methods that are named in `PARTS` are its steps."""

    def __init__(self, bot: Bot, sparring: Sparring, told: Callable[[Outcome], object]) -> None:
        self.checked = Checked(bot)
        self.bot = sparring
        self._told = told
        self._tables = 1
        """The tables that it plays at once."""
        self._answers = 0
        self._plays_illegally = False
        """An earlier step has reported illegal cards, which are no failure any more."""

    async def take(self, parts: Sequence[Part]) -> None:
        """Take all steps, one after another."""
        try:
            ready = (await self.bot.start()).ready
        except Failed as failed:
            self._note("start", _failed(failed.evidence))
            return  # nothing else can be tried
        assert ready is not None, "it has started"
        self.checked.ready = ready
        self._tables = min(ready.tables, _MOST_TABLES)
        language = f", in {ready.language}" if ready.language else ""
        tables = f", {ready.tables} tables" if ready.tables > 1 else ""
        self._note("start", _passed(f"{ready.name}, version {ready.version}{language}{tables}"))
        mute = False
        for part in parts:
            if part.plays and mute:
                findings: Sequence[Finding] = [_skipped("it answers no question")] * len(part.steps)
            else:
                findings = await self._findings(part)
                mute = part.plays and not self._answers
            for name, finding in zip(part.steps, findings, strict=True):
                self._note(name, finding)
        self._note("uses", self._uses())

    async def _findings(self, part: Part) -> Sequence[Finding]:
        limit = part.seconds + 6 * self.checked.bot.command.start_ms / 1000
        findings: Sequence[Finding] = ()
        with trio.move_on_after(limit):
            try:
                findings = await part.check(self)
            except Failed as failed:
                findings = [_failed(failed.evidence)]
        if not findings:
            found = f"it had not finished this after {limit:g} s"
            findings = [_failed(Evidence("answers in time", found, stderr=self.bot.stderr()))]
        if any(finding.verdict is Verdict.FAILED for finding in findings):
            await self.bot.close()
        left = len(part.steps) - len(findings)
        return [*findings, *[_skipped("the step before it failed")] * left]

    def _note(self, name: str, finding: Finding) -> None:
        outcome = Outcome(len(self.checked.outcomes) + 1, name, finding)
        self.checked.outcomes.append(outcome)
        self._told(outcome)

    def _uses(self) -> Finding:
        command, bot = self.checked.bot.command, self.bot
        self.checked.start_seconds = slowest = max(bot.starts)
        self.checked.memory = bot.memory
        limit_s, used = command.start_ms / 1000, bot.memory / _MIB
        text = (
            f"ready after {slowest:.2f} s at most ({len(bot.starts)} starts; it may take {limit_s:g} s), "
            f"{used:.0f} MiB of memory (it may use {command.memory_mib} MiB)"
        )
        if slowest > _SLOW_START * limit_s or used > _MUCH_MEMORY * command.memory_mib:
            return _warned(text)
        return _passed(text)

    # Matches

    async def _play(
        self,
        *games: Game,
        seconds: float = _MATCH_SECONDS,
        change: Callable[[Message], Iterable[Message]] | None = None,
        ids: Iterable[str] = (),
        cuts: Iterable[Sequence[int]] = (),
        together: bool = False,
    ) -> list[Played]:
        """Do as `Sparring.play`, and raise Failed with the first thing that the referee found wrong."""
        matches = await self.bot.play(
            *games, seconds=seconds, change=change, ids=ids, cuts=cuts, together=together
        )
        self._refuse([(played, fault) for played in matches for fault in played.faults])
        return matches

    def _refuse(self, found: Iterable[tuple[Played, Fault]]) -> None:
        lenient = {FaultKind.ILLEGAL} if self._plays_illegally else set()
        left = [(played, fault) for played, fault in found if fault.kind not in lenient]
        # A process that is ended for a fault at one of its tables has crashed at the others.
        for played, fault in sorted(left, key=lambda one: one[1].kind is FaultKind.CRASHED)[:1]:
            raise Failed(played.evidence(fault))

    async def at_all_tables(self) -> Sequence[Finding]:
        """Play a match at each size, so that the bot passes, leads, follows, throws and is told of all."""
        matches: list[Played] = []
        for players in _SIZES:
            # A seat that deals in one of the rounds, so that the bot is sure to lead.
            game = Game(players, players, players % 2, rounds=2)
            matches += await self.bot.play(game, seconds=_MATCH_SECONDS)
            self._answers += sum(each.came is not None for each in matches[-1].decisions)
            if not self._answers:
                break  # a bot that answers nothing would answer nothing at every size
        findings = []
        for name in ("passes", "leads", "follows", "throws"):
            asked = [
                played.game.players
                for played in matches
                for decision in played.decisions
                if decision.came and _step_of(decision) == name
            ]
            done = _passed(f"{len(asked)} times, {_sizes(asked)}")
            never = _skipped("this did not happen in any match")
            findings.append(_failure(name, matches) or (done if asked else never))
        illegal = (fault for played in matches for fault in played.faults if fault.kind is FaultKind.ILLEGAL)
        self._plays_illegally = any(illegal)
        return [*findings, _failure("tables", matches) or _whole(matches)]

    async def after_the_stand_in(self) -> Sequence[Finding]:
        """Have the bot's first pass and third card go astray, so that the stand-in chooses; events say so."""
        numbers = count()

        def lose_two(message: Message) -> Iterator[Message]:
            for told in tell_time(message):
                lost = told["type"] in ("pass", "play") and next(numbers) in (0, 3)
                yield {**told, "id": f"lost-{told['id']}"} if lost else told

        (played,) = await self.bot.play(Game(11, 4, 1), seconds=_MATCH_SECONDS, change=lose_two)
        astray = {(0, 0), (0, 3)}
        self._refuse((played, one) for one in played.faults if (one.round, one.question) not in astray)
        kinds = sorted(kind for kind in played.events if "stand-in" in kind)
        return [_passed(f"told of: {', '.join(kinds)}")]

    async def unknown_keys(self) -> Sequence[Finding]:
        """Add unknown keys of all kinds to every message, before and after the others; then long texts."""

        def with_odd_keys(message: Message) -> Iterator[Message]:
            return ({"future": _ODD, **told, "more": _ODD} for told in tell_time(message))

        def with_a_long_text(message: Message) -> Iterator[Message]:
            return ({**told, "text": "x" * _LONG_TEXT} for told in tell_time(message))

        await self._play(Game(12, 5, 2), change=with_odd_keys)
        await self._play(Game(13, 8, 7), change=with_a_long_text)
        return [_passed("in every message, before and behind the others, and lines of 53 KB")]

    async def unknown_messages(self) -> Sequence[Finding]:
        """Send two unknown messages before every question, one with an id like that of a question."""
        numbers = count()

        def with_others(message: Message) -> Iterator[Message]:
            if message["type"] in ("pass", "play"):
                table = message["table"]
                yield {"type": "weather", "table": table, "future": _ODD}
                yield {"type": "play_fast", "id": f"other-{next(numbers)}", "table": table, "hand": []}
            yield from tell_time(message)

        (played,) = await self._play(Game(14, 4, 0), change=with_others)
        if not played.cut:
            await self.bot.silence(_QUIET_SECONDS, "after the match")
        return [_passed(f"{2 * next(numbers)} of them between the questions")]

    async def any_ids(self) -> Sequence[Finding]:
        """Ask with ids of every length, of all kinds of printable characters."""
        await self._play(Game(15, 3, 1), ids=_ODD_IDS)
        return [_passed(f"{len(_ODD_IDS)} unusual ones, of 1 to 32 characters")]

    async def in_pieces(self) -> Sequence[Finding]:
        """Play a match whose first questions come in two, three and four pieces."""
        await self._play(Game(16, 8, 3), cuts=_CUTS)
        return [_passed("in up to four, 10 ms apart")]

    async def lines_together(self) -> Sequence[Finding]:
        """Send the end of a match, the beginning of the next and a question in one write."""
        for game in (Game(17, 8, 0), Game(18, 3, 2)):
            await self._play(game, together=True)
        return [_passed("round_over, match_over, start and pass in one write")]

    async def several_tables(self) -> Sequence[Finding]:
        """Play at as many tables as the bot offers, at most four; their questions come together."""
        if self._tables < 2:
            return [_skipped("it plays at one table at a time, as its `ready` says")]
        most = min(self._tables, _AT_ONCE)
        games = [Game(20 + table, 3 + table, table) for table in range(most)]
        await self._play(*games, seconds=_AT_ONCE * _MATCH_SECONDS)
        said = (
            f"{most} at once" if most == self._tables else f"{most} at once, of the {self._tables} it offers"
        )
        return [_passed(f"{said}, their questions together")]

    async def near_the_clock(self) -> Sequence[Finding]:
        """Give the bot less and less time; at last little time for a move, and a bank for all moves."""
        paces: list[tuple[str, Played, list[Fault]]] = []
        waits = []
        for number, (move_ms, bank_ms) in enumerate(_PACES_MS):
            game = Game(30 + number, 5, number, terms=Terms(move_ms, bank_ms, 40, 1_000_000))
            (played,) = await self.bot.play(game, change=lambda message: [message])
            late = [fault for fault in played.faults if fault.kind is FaultKind.TIMEOUT]
            self._refuse((played, fault) for fault in played.faults if fault not in late)
            bank = f" and a bank of {bank_ms} ms" if bank_ms else ""
            times = f", late {len(late)} times of {len(played.decisions)}" if late else ""
            longest = spent_by_seat(played.record)[number].took_max_us / 1000
            paces.append((f"of {move_ms} ms{bank} it takes up to {longest:.1f} ms{times}", played, late))
            waits.append((played.record.seats[number].queued_us or 0) / 1000)
        text = "; ".join(text for text, _, _ in paces)
        if max(waits) >= _BUSY_MS:
            text += f"; up to {max(waits):.0f} ms of a match without a core, for the machine was busy"
        for _, played, late in paces:
            if len(late) > _LATE_ALLOWED:
                terms, evidence = played.game.terms, played.evidence(late[0])
                within = f"an answer within {terms.move_ms + terms.bank_ms} ms"
                evidence = replace(evidence, expected=within, found=text)
                return [_failed(evidence) if terms.move_ms > _SURELY_MS else _warned(text, evidence)]
        return [_passed(text)]

    async def plays_long(self) -> Sequence[Finding]:
        """Play one match of many rounds, then many short matches, in one process."""
        await self.bot.ready_process()
        before = self.bot.look()
        (played,) = await self._play(Game(40, 4, 0, _LONG_ROUNDS), seconds=_LONG_SECONDS)
        if played.cut:
            many = len(played.decisions)
            return [_passed(f"{many} decisions of one match in {_LONG_SECONDS:g} s; then it was ended")]
        matches, until = 0, trio.current_time() + _MANY_SECONDS
        while matches < _MANY and (left := until - trio.current_time()) > 0:
            (played,) = await self._play(Game(41 + matches, 8, matches % 8), seconds=left)
            matches += not played.cut
        after = self.bot.look()
        text = (
            f"{_LONG_ROUNDS} rounds in one match, then {matches} matches; "
            f"memory {before / _MIB:.0f} MiB before, {after / _MIB:.0f} MiB after"
        )
        if after > max(_GROWTH_FLOOR, _GROWTH * before):
            return [_warned(f"{text}: a referee starts a new process when it has doubled")]
        return [_passed(text)]

    async def repeats(self) -> Sequence[Finding]:
        """Play a match, another one and the first again in one process; then the first in a new process.

        All are said to be at the same table, so that only the ids differ. Where two new processes already
        answer differently, nothing can be said of the bot's memory.
        """

        def at_one_table(message: Message) -> Iterator[Message]:
            return ({**told, "table": 0} for told in tell_time(message))

        async def play(game: Game) -> Sequence[Decision]:
            (played,) = await self._play(game, seconds=_REPEAT_SECONDS, change=at_one_table)
            return played.decisions

        same = Game(70, 4, 1, rounds=2)
        await self.bot.start()
        first = await play(same)
        await play(Game(71, 5, 0))
        again = await play(same)
        await self.bot.start()
        fresh = await play(same)
        if between := _difference(first, fresh, "the answer of another new process"):
            text = f"{between.found}: it depends on chance or time; `start` has a seed for random choices"
            return [_warned(text, between)]
        if remembered := _difference(first, again, "the answer of the same process, a match before"):
            found = f"{remembered.found}: it remembers an earlier match, which it should forget at `start`"
            return [_failed(replace(remembered, found=found))]
        return [_passed(f"{len(first)} decisions, three times")]

    # Without a question

    async def keeps_quiet(self) -> Sequence[Finding]:
        """Listen after `ready` and when a match begins. Later silence is checked with every question."""
        await self.bot.silence(_QUIET_SECONDS, "after `ready`")
        await self.bot.begin(Game(10, 3, 0))
        await self.bot.silence(_QUIET_SECONDS, "after `start`")
        await self.bot.close()
        return [_passed("after `ready` and after `start`")]

    async def rests(self) -> Sequence[Finding]:
        """Measure the bot's rest in the middle of a round and after a match."""
        numbers, shares = count(), []
        process = await self.bot.ready_process()

        def resting(message: Message) -> list[Message]:
            if message["type"] in ("pass", "play") and next(numbers) == _IN_THE_MIDDLE:
                before = process.watchdog.cpu_us()
                time.sleep(_REST_SECONDS)
                shares.append(_share(process, before))
            return tell_time(message)

        (played,) = await self._play(Game(80, 4, 2), change=resting)
        if not played.cut:
            before = process.watchdog.cpu_us()
            await self.bot.silence(_REST_SECONDS, "after the match")
            shares.append(_share(process, before))
        percent = " and ".join(f"{100 * share:.0f} %" for share in shares)
        text = f"{percent} of a core, in the middle of a round and after a match"
        if max(shares) > _REST_SHARE:
            return [_warned(f"{text}: a referee stops a bot that uses more than 20 %")]
        return [_passed(text)]

    async def at_the_end_of_input(self) -> Sequence[Finding]:
        """Close the bot's input after a match, without `bye`, and judge how it ends."""
        await self._play(Game(90, 3, 0))
        process = await self.bot.ready_process()
        self.bot.relay.close_write()
        return [await self._ending(process, "the end of its input", b"")]

    async def at_bye(self) -> Sequence[Finding]:
        """Send `bye` before any match and leave the bot's input open, and judge how it ends."""
        process = await self.bot.start()
        bye = {"type": "bye", "reason": "the check is over"}
        process.link.tell(bye)
        process.link.flush()
        return [await self._ending(process, "`bye`", encode(bye))]

    async def _ending(self, process: BotProcess, at: str, sent: bytes) -> Finding:
        queued, began = _queued_us(process), trio.current_time()
        how = await process.how_it_ended(_AT_BYE_SECONDS if sent else _ENDING_SECONDS)
        own = trio.current_time() - began - max(0, _queued_us(process) - queued) / 1e6
        stderr, said = self.bot.stderr(), self.bot.last_word()
        await self.bot.close()
        expected = f"that it exits within {GRACE_SECONDS:g} s, without a word"
        if said is not None:
            return _failed(Evidence(expected, f"it said something at {at}", sent, said, stderr))
        if how is None and sent:
            text = "it exits only at the end of its input, which always follows in a league"
            return _warned(text, Evidence("that it exits", text, sent))
        if how is None:
            found = f"it still runs {_ENDING_SECONDS:g} s after {at}; a referee kills it"
            return _failed(Evidence(expected, found, sent, stderr=stderr))
        text = f"{1000 * max(0.0, own):.0f} ms after {at}: {how}"
        if own > GRACE_SECONDS:
            late = f"{text}; after {GRACE_SECONDS:g} s a referee kills it"
            return _warned(late, Evidence(expected, text, sent))
        if "exit code 0" not in how:
            return _warned(text, Evidence(f"{expected}, with exit code 0", text, sent))
        return _passed(text)


def _queued_us(process: BotProcess) -> int:
    """Return the microseconds that the bot and this process together have waited for a core.

    The result is 0 where the kernel does not tell.
    """
    of_bot = process.watchdog.threads(states=False, known=None, seconds=0.0)
    both = (*of_bot.values(), *read_threads([os.getpid()], states=False).values())
    return sum(times.queued_us for times in both)


def _share(process: BotProcess, before_us: int) -> float:
    """Return the share of a core that the bot has used in _REST_SECONDS."""
    return (process.watchdog.cpu_us() - before_us) / 1e6 / _REST_SECONDS


def _step_of(decision: Decision) -> str:
    """Return the name of the step that a decision belongs to."""
    question = decision.question
    if question["type"] == "pass":
        return "passes"
    if not question["trick"]:
        return "leads"
    led = question["trick"][0][0]
    return "follows" if any(card[0] == led for card in question["hand"]) else "throws"


def _failure(name: str, matches: Sequence[Played]) -> Finding | None:
    """Return what failed in one step, with the first piece of evidence and the places of all of them."""
    found = [
        (played.game.players, played.evidence(fault))
        for played in matches
        for fault in played.faults
        if _failed_step(played, fault) == name
    ]
    if not found:
        return None
    evidence = found[0][1]
    times = f"{len(found)} times, " if len(found) > 1 else ""
    where = f"{times}{_sizes(players for players, _ in found)}"
    return _failed(replace(evidence, found=f"{evidence.found} ({where})"))


def _failed_step(played: Played, fault: Fault) -> str:
    """Return the name of the step that a fault belongs to."""
    if fault.kind is FaultKind.ILLEGAL and (decision := played.decision_of(fault)) is not None:
        return _step_of(decision)
    silent = played.decisions and not any(each.came for each in played.decisions)
    if fault.kind is not FaultKind.CRASHED and silent:
        return _step_of(played.decisions[0])
    # Any message before may be the cause, so no single kind of decision is blamed.
    return "tables"


def _whole(matches: Sequence[Played]) -> Finding:
    told = frozenset[str]().union(*(played.events for played in matches))
    decisions = sum(len(played.decisions) for played in matches)
    if any(played.record.seats[played.game.seat].hand_over and not played.cut for played in matches):
        return _skipped("see the steps above")
    if any(played.cut for played in matches):
        return _passed(f"{decisions} decisions; it is slow, so not every match was played to its end")
    assert {kind.partition(" by ")[0] for kind in told} == _EVENTS, "each happens in every round"
    return _passed(f"{len(matches)} matches, {decisions} decisions, events: {', '.join(sorted(told))}")


def _sizes(players: Iterable[int]) -> str:
    ordered = sorted(set(players))
    if len(ordered) == len(_SIZES):
        return "at all tables"
    return f"at tables of {', '.join(map(str, ordered))}"


def _difference(one: Sequence[Decision], other: Sequence[Decision], whose: str) -> Evidence | None:
    """Return the evidence of the first decision that differs, as far as both were played, or None."""
    for number, (before, now) in enumerate(zip(one, other, strict=False), 1):
        if before.cards != now.cards:
            was, differs = " ".join(before.cards), " ".join(now.cards)
            found = f"decision {number} of the same match was {differs}, not {was}"
            return Evidence(f"{was}, {whose}", found, now.sent, now.came)
    return None


@dataclass(frozen=True, slots=True)
class Part:
    """Steps that are checked together, with one finding each.

    `seconds`: the most that they may take, not counting the starts of processes. `plays`: whether questions
    are asked; then it is skipped for a bot that answers none.
    """

    steps: tuple[str, ...]
    check: Callable[[Check], Awaitable[Sequence[Finding]]]
    seconds: float = 20.0
    plays: bool = True


PARTS = (
    Part(("quiet",), Check.keeps_quiet, plays=False),
    Part(("passes", "leads", "follows", "throws", "tables"), Check.at_all_tables, 60.0),
    Part(("stand_in",), Check.after_the_stand_in),
    Part(("unknown_keys",), Check.unknown_keys),
    Part(("unknown_messages",), Check.unknown_messages),
    Part(("ids",), Check.any_ids),
    Part(("pieces",), Check.in_pieces),
    Part(("together",), Check.lines_together),
    Part(("several_tables",), Check.several_tables, 60.0),
    Part(("clock",), Check.near_the_clock, 60.0),
    Part(("long",), Check.plays_long, 30.0),
    Part(("repeats",), Check.repeats, 60.0),
    Part(("rests",), Check.rests),
    Part(("end_of_input",), Check.at_the_end_of_input),
    Part(("bye",), Check.at_bye, plays=False),
)
"""All parts in order. `start` comes before them and `uses` after them."""
