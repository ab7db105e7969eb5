"""A table: one match played by bot processes from `start` to its record.

Brings the state machine (`match`) and the links together; knows nothing of sessions or storage. `play`
plays a match by itself; a `hall` plays several tables at once and asks their questions itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import trio

from arena.bot.answers import Wrong
from arena.bot.link import Lateness, Reply
from arena.bot.process import BotProcess, Place, StartFailure
from arena.bot.shared_link import SharedLink
from arena.bot.watchdog import UNKNOWN, Usage, Used, Watchdog
from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind
from arena.match.game import Match, Question, SeatResult, addressed
from arena.match.question_ids import QuestionIds, new_key
from arena.match.record import MatchRecord, MatchSetup, SeatRecord
from arena.match.stand_in import STAND_IN, Chooser
from protocol.codec import line_of
from protocol.messages import Answer, CardAnswer, CardsAnswer, Ready

__all__ = ["Player", "Table"]

YIELD_US: Final = 4000
"""A table whose bots always answer at once never waits; after this long other tasks get their turn, well
before one of them would find itself late (`LATE_LOOP`)."""
OWN_US: Final = 15
"""About what a decision takes beside its answer; reading the clock once more would add to it."""
# Compiled, a class of another module is looked up by its name each time.
_CARD: Final = CardAnswer
_CARDS: Final = CardsAnswer


@dataclass(slots=True)
class Player:
    """What sits at one seat: a process, the failure to start one, or nothing: the stand-in's own seat."""

    bot: str
    process: BotProcess | StartFailure | None
    id_key: str = field(default_factory=new_key)
    ids: QuestionIds = field(init=False)
    closed: dict[str, Question] = field(default_factory=dict)
    """Questions of this match that were closed unanswered, by id."""
    place: Place | None = None
    """Where its process sits; None as long as it has none."""
    link: SharedLink | None = None
    """Of that process, as is `watchdog`: every decision needs both."""
    watchdog: Watchdog | None = None
    table: int = 0
    usage: Usage | None = None
    queued_us: int = 0
    """Microseconds that it waited for a core while it was waited for."""

    def __post_init__(self) -> None:
        """Derive the ids from their key."""
        self.ids = QuestionIds(self.id_key)


class Table:
    """One match. `end_process` takes away a process whose match is over for it, with the reason."""

    def __init__(
        self,
        setup: MatchSetup,
        chooser: Chooser,
        players: list[Player],
        end_process: Callable[[BotProcess, str], None],
        *,
        together: bool,
    ) -> None:
        absent = [seat for seat, player in enumerate(players) if player.bot == STAND_IN]
        self._match = Match(setup, chooser, absent)
        self._setup = setup
        self._players = players
        self._end_process = end_process
        self._together = together
        self._playing: list[BotProcess | None] = []
        self._lateness = Lateness()
        self._started_at = 0

    async def play(self, key: MatchKey, sandbox: str) -> MatchRecord:
        """Play the match out. Bots may do what they like: the record comes in any case."""
        self.begin()
        while not self._match.over:
            left_open = self._ask_on()
            if left_open is not None:
                await self._wait_for(*left_open)
            elif self._together and len(waiting := self._match.waiting()) > 1:
                await self._ask_together(waiting)
            else:
                await trio.lowlevel.checkpoint()
        self._tell_news()
        return self.record(key, sandbox)

    # Playing

    def begin(self) -> None:
        """All sit down and the match begins; no question is put yet."""
        self._started_at = time.time_ns() // 1_000_000
        self._sit_down()
        self._match.begin()

    def _sit_down(self) -> None:
        for seat, player in enumerate(self._players):
            process = player.process
            if process is None:
                self._playing.append(None)
                continue
            if isinstance(process, StartFailure):
                self._playing.append(None)
                fault = Fault(seat, FaultKind.START_FAILED, process.reason, sent=process.sent)
                self._match.fault(fault)
                continue
            self._playing.append(process)
            process.link.new_match(self._lateness)
            player.place = process.sit_down()
            player.table = player.place.table
            player.link, player.watchdog = process.link, process.watchdog

    def _ask_on(self) -> tuple[Question, str] | None:
        """Decision after decision, as long as answers come at once, other tasks can wait, and no seats
        are to be asked together. A question that was not answered at once, with its id."""
        match = self._match
        busy_us = 0
        while busy_us < YIELD_US and not match.over:
            if match.news:
                self._tell_news()
            if self._together and len(match.waiting()) > 1:
                break
            asked = self._ask(match.next_waiting, linger=True)
            if isinstance(asked, tuple):
                return asked
            busy_us += asked + OWN_US
        return None

    async def _ask_together(self, seats: list[int]) -> None:
        async with trio.open_nursery() as nursery:
            for seat in seats:
                nursery.start_soon(self._ask_beside_others, seat)

    async def _ask_beside_others(self, seat: int) -> None:
        asked = self._ask(seat, linger=False)
        if isinstance(asked, tuple):
            await self._wait_for(*asked)

    def _ask(self, seat: int, *, linger: bool) -> int | tuple[Question, str]:
        """Put the question. When its answer comes at once, the microseconds that it took; otherwise it
        is open, and this is it with its id."""
        player = self._players[seat]
        link, watchdog = player.link, player.watchdog
        assert link is not None, "a seat without a bot is never asked"
        assert watchdog is not None, "who has a link has one"
        question = self._match.ask(seat)
        question_id = player.ids.__next__()  # called directly where this is compiled, next() is not
        line = line_of(question.packed_for(player.table, question_id))
        expected = _CARD if question.number else _CARDS
        watchdog.turn_begins()
        prompt = link.ask_now(line, question_id, expected, question.limit_us, linger)
        if prompt is None:
            return question, question_id
        cards, took_us = prompt
        watchdog.turn_ends(took_us)
        self.chosen(question, cards, took_us)
        return took_us

    async def _wait_for(self, question: Question, question_id: str) -> None:
        seat = question.seat
        process = self._playing[seat]
        assert process is not None, "it has been asked"
        reply = await process.link.reply()
        process.watchdog.turn_ends(reply.wall_us, reply.used.cpu_us, reply.unseen_us)
        for late_id, late_us in process.link.take_late():
            self.late_answer(late_id, late_us)  # else it belongs to an earlier match, which is over
        if isinstance(reply.settled, Wrong):
            await self.misdeed(question, question_id, reply.settled, reply)
        else:
            self.answered(question, reply.settled, reply.wall_us, reply.used)

    def late_answer(self, question_id: str, late_us: int) -> bool:
        """The first answer to a question that was closed has come; False when it is not of this match."""
        for seat, player in enumerate(self._players):
            question = player.closed.pop(question_id, None)
            if question is not None:
                self._match.late_answer(seat)
                self._match.explain_late(question, late_us)
                return True
        return False

    def answered(self, question: Question, answer: Answer, took_us: int, used: Used = UNKNOWN) -> None:
        """An answer of the right type to an open question, which may still be illegal. `used` while it was
        waited for."""
        assert not isinstance(answer, Ready), "the inbox lets only the expected type through"
        self._players[question.seat].queued_us += used.queued_us or 0
        self.chosen(question, answer.cards, took_us, used)

    def chosen(self, question: Question, cards: tuple[str, ...], took_us: int, used: Used = UNKNOWN) -> None:
        """`answered`, with these cards."""
        refusal = self._match.answer(question.seat, cards, took_us)
        if refusal is not None:
            wrong = Wrong(FaultKind.ILLEGAL, refusal, " ".join(cards))
            self._fault(question, wrong, Reply(wrong, took_us, used))

    async def misdeed(self, question: Question, question_id: str, wrong: Wrong, reply: Reply) -> None:
        """A question was closed by something else than its answer; of a crash, find out how it came."""
        process = self._playing[question.seat]
        if wrong.kind is FaultKind.CRASHED and process is not None:
            how = await process.how_it_ended()
            crashed = Wrong(wrong.kind, how or wrong.reason, wrong.sent)
            wrong = process.watchdog.out_of_memory() or crashed
        self.misdeed_now(question, question_id, wrong, reply)

    def misdeed_now(self, question: Question, question_id: str, wrong: Wrong, reply: Reply) -> None:
        """`misdeed`, with the cause known already."""
        self._players[question.seat].queued_us += reply.used.queued_us or 0
        self._players[question.seat].closed[question_id] = question
        self._fault(question, wrong, reply)

    def _fault(self, question: Question, wrong: Wrong, reply: Reply) -> None:
        seat = question.seat
        fault = Fault(
            seat,
            wrong.kind,
            wrong.reason,
            question.round,
            question.number,
            wrong.sent,
            reply.wall_us,
            reply.used.cpu_us,
            reply.used.queued_us,
        )
        self._match.fault(fault)
        why = self._match.handed_over(seat)
        process = self._playing[seat]
        if why is not None and process is not None:
            self._leave(seat, process)
            self._end_process(process, f"the stand-in has taken over: {why.value}")

    def _leave(self, seat: int, process: BotProcess) -> None:
        player = self._players[seat]
        assert player.place is not None, "it has sat down"
        player.usage = process.stand_up(player.place)
        player.link = player.watchdog = None
        self._playing[seat] = None

    def _tell_news(self) -> None:
        for seat, message in self._match.take_news():
            process = self._playing[seat]
            if process is not None:
                process.link.tell(addressed(message, self._players[seat].table))
                if self._match.over:
                    process.link.flush()

    # For a hall

    @property
    def over(self) -> bool:
        """Whether nothing more is to be asked."""
        return self._match.over

    def due(self) -> list[tuple[int, BotProcess]]:
        """Send the news off, and say which seats are to be asked, and whose turn that is."""
        if self._match.news:
            self._tell_news()
        due = []
        for seat in self._match.waiting():
            process = self._playing[seat]
            assert process is not None, "a seat without a bot is never asked"
            due.append((seat, process))
        return due

    def put(self, seat: int, link: SharedLink) -> tuple[str, Question]:
        """Add the question to the next batch of its process; its id, and itself."""
        player = self._players[seat]
        question = self._match.ask(seat)
        question_id = player.ids.__next__()
        line = line_of(question.packed_for(player.table, question_id))
        expected = _CARD if question.number else _CARDS
        link.put(line, question_id, expected, question.limit_us, self._lateness)
        return question_id, question

    # Afterwards

    def record(self, key: MatchKey, sandbox: str) -> MatchRecord:
        """What is kept of the match, which is over; its processes are free."""
        result = self._match.result()
        for seat, process in enumerate(self._playing):
            if process is not None:
                self._leave(seat, process)
        return MatchRecord(
            key=key,
            setup=self._setup,
            seats=tuple(self._seat_record(*of) for of in zip(self._players, result.seats, strict=True)),
            rounds=result.rounds,
            faults=result.faults,
            started_at=self._started_at,
            finished_at=time.time_ns() // 1_000_000,
            lateness_count=self._lateness.count,
            lateness_us=round(self._lateness.worst * 1e6),
            sandbox=sandbox,
        )

    def _seat_record(self, player: Player, result: SeatResult) -> SeatRecord:
        ending = (player.bot, *result, player.id_key)
        process = player.process
        if process is None:
            return SeatRecord(*ending)
        if isinstance(process, StartFailure):
            return SeatRecord(
                *ending,
                stderr_head=process.stderr_head,
                stderr_tail=process.stderr_tail,
                stderr_bytes=process.stderr_bytes,
            )
        place, usage = player.place, player.usage
        assert place is not None, "it has sat down"
        assert usage is not None, "every process has been left"
        log = place.stderr
        record = SeatRecord(
            *ending,
            cpu_us=usage.cpu_us,
            off_turn_us=usage.off_turn_us,
            queued_us=player.queued_us,
            frozen=usage.frozen,
            left_core=usage.left_core,
            table=place.table,
            pid=process.pid,
            stderr_head=log.head,
            stderr_tail=log.tail,
            stderr_bytes=log.size,
        )
        log.clear()  # what comes between two matches begins the next one's
        return record
