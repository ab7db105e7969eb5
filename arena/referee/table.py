"""A table: one match between bot processes or people, from `start` to its record. Waits for nobody.

It brings the state machine (`match`) and the links together: it says who is to be asked, puts the questions,
and is told how they were settled. The playing loop decides when to ask and what to wait for. A table knows
nothing of sessions or storage.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from arena.bot.answers import Wrong
from arena.bot.limits import Usage, Watchdog
from arena.bot.link import Lateness, Link, Prompt, Reply
from arena.bot.person import Person, Sitter
from arena.bot.process import BotProcess, Place, StartFailure
from arena.bot.waits import UNKNOWN, Used
from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.game import Match, Question, SeatResult, addressed
from arena.match.question_ids import QuestionIds, new_key
from arena.match.record import MatchRecord, MatchSetup, SeatRecord
from arena.match.stand_in import STAND_IN, Chooser
from protocol.codec import line_of
from protocol.messages import CardAnswer, CardsAnswer, Ready

# Compiled code looks a class of another module up by its name each time. These names are bound once.
_CARD: Final = CardAnswer
_CARDS: Final = CardsAnswer


@dataclass(slots=True)
class Player:
    """What sits at one seat: a process, or a person, or the failure to start a process, or None at the
    stand-in's own seat."""

    bot: str
    process: Sitter | StartFailure | None
    id_key: str = field(default_factory=new_key)
    ids: QuestionIds = field(init=False)
    closed: dict[str, Question] = field(default_factory=dict)
    """The questions of this match that were closed unanswered, by id."""
    place: Place | None = None
    """The place at which its process sits, or None as long as it does not sit. A person has none."""
    link: Link | None = None
    """The link of that process or person while it plays here, else None. Like `sitter` and `watchdog` it is
    kept here because every decision needs it."""
    sitter: Sitter | None = None
    """The process or person, once it has sat down."""
    watchdog: Watchdog | None = None
    """That of the process. A person has none."""
    table: int = 0
    usage: Usage | None = None
    queued_us: int = 0
    """The microseconds in which others had its core while the referee waited for it."""

    def __post_init__(self) -> None:
        """Derive the ids from their key."""
        self.ids = QuestionIds(self.id_key)


class Table:
    """One match. `end_process` takes away a process whose match is over for it, and is told the reason.

    A person is told the reason, and stays.
    """

    def __init__(
        self,
        setup: MatchSetup,
        chooser: Chooser,
        players: list[Player],
        end_process: Callable[[BotProcess, str], None],
    ) -> None:
        absent = [seat for seat, player in enumerate(players) if player.bot == STAND_IN]
        self._match = Match(setup, chooser, absent)
        self._setup = setup
        self._players = players
        self._end_process = end_process
        self._lateness = Lateness(grace=setup.terms.move_ms / 1000)
        self._started_at = 0

    def begin(self) -> None:
        """Let all bots sit down, and begin the match. No question is put yet."""
        self._started_at = time.time_ns() // 1_000_000
        self._sit_down()
        self._match.begin()

    def _sit_down(self) -> None:
        for seat, player in enumerate(self._players):
            process = player.process
            if isinstance(process, StartFailure):
                self._match.fault(_start_failed(seat, process))
            elif process is not None:
                process.link.new_match()
                player.link, player.sitter = process.link, process
            if isinstance(process, BotProcess):
                player.place = process.sit_down()
                player.table = player.place.table
                player.watchdog = process.watchdog

    # Asking

    @property
    def over(self) -> bool:
        """Return whether nothing more is to be asked."""
        return self._match.over

    def due(self) -> list[tuple[int, Sitter]]:
        """Send the news, and return the seats that are to be asked, each with who sits there."""
        if self._match.news:
            self._tell_news()
        return [(seat, self.sitter_at(seat)) for seat in self._match.waiting()]

    def next_alone(self, *, together: bool) -> int:
        """Send the news, and return the seat to be asked next where one is asked after another.

        Returns -1 when there is none, or when several seats can be asked `together`.
        """
        match = self._match
        if match.news:
            self._tell_news()
        if match.over or (together and len(match.waiting()) > 1):
            return -1
        return match.next_waiting

    def put(self, seat: int, link: Link) -> tuple[str, Question]:
        """Add the question of a seat to the next batch of its link. Return its id, and the question."""
        line, question_id, question = self._question(seat, self._players[seat])
        expected = _CARD if question.number else _CARDS
        link.put(line, question_id, expected, question.limit_us, self._lateness)
        return question_id, question

    def ask_at_once(self, seat: int) -> tuple[str, Question] | None:
        """Put the question of a seat, write it, and settle it if the answer comes at once, as nearly all do.

        Returns None then. Otherwise the question is left open, and the result is its id and the question.
        """
        player = self._players[seat]
        link, watchdog = player.link, player.watchdog
        assert link is not None, "a seat without a bot is never asked"
        line, question_id, question = self._question(seat, player)
        expected = _CARD if question.number else _CARDS
        if watchdog is not None:
            watchdog.turn_begins()
        prompt = link.ask_at_once(line, question_id, expected, question.limit_us, self._lateness)
        if prompt is None:
            return question_id, question
        cards, took_us = prompt
        if watchdog is not None:
            watchdog.turn_ends(took_us)
        self._chosen(question, cards, took_us)
        return None

    def _question(self, seat: int, player: Player) -> tuple[bytes, str, Question]:
        """Return the next question to this seat as a line, its id, and the question itself."""
        question = self._match.ask(seat)
        # Where this is compiled, the method is called directly, but through next() it is not.
        question_id = player.ids.__next__()
        return line_of(question.packed_for(player.table, question_id)), question_id, question

    def sitter_at(self, seat: int) -> Sitter:
        """Return who plays at this seat, which must have been asked."""
        sitter = self._players[seat].sitter
        assert sitter is not None, "a seat without a bot is never asked"
        return sitter

    def _tell_news(self) -> None:
        for seat, message in self._match.take_news():
            player = self._players[seat]
            if player.link is not None:
                player.link.tell(addressed(message, player.table))
                if self._match.over:
                    player.link.flush()

    # What a question came to

    def settle(self, question: Question, question_id: str, reply: Prompt | Reply) -> None:
        """Take in the result of a question: an answer, which may still be illegal, or a fault."""
        if isinstance(reply, tuple):
            cards, took_us = reply
            self._chosen(question, cards, took_us)
            return
        player, settled = self._players[question.seat], reply.settled
        player.queued_us += reply.used.queued_us or 0
        if reply.extended_us:
            self._match.extended(question.seat, reply.extended_us)
        if isinstance(settled, Wrong):
            player.closed[question_id] = question
            self._fault(question, settled, reply.wall_us, reply.used)
        else:
            assert not isinstance(settled, Ready), "the inbox lets only the expected type through"
            self._chosen(question, settled.cards, reply.wall_us, reply.used)

    def late_answer(self, question_id: str, late_us: int) -> bool:
        """Note the first answer to a question that is closed already. Return whether it is of this match."""
        for seat, player in enumerate(self._players):
            question = player.closed.pop(question_id, None)
            if question is not None:
                self._match.late_answer(seat)
                self._match.explain_late(question, late_us)
                return True
        return False

    def _chosen(self, question: Question, cards: tuple[str, ...], took_us: int, used: Used = UNKNOWN) -> None:
        refusal = self._match.answer(question.seat, cards, took_us)
        if refusal is not None:
            self._fault(question, Wrong(FaultKind.ILLEGAL, refusal, " ".join(cards)), took_us, used)

    def _fault(self, question: Question, wrong: Wrong, wall_us: int, used: Used) -> None:
        seat = question.seat
        fault = Fault(
            seat,
            wrong.kind,
            wrong.reason,
            question.round,
            question.number,
            wrong.sent,
            wall_us,
            used.cpu_us,
            used.queued_us,
        )
        self._match.fault(fault)
        why, player = self._match.handed_over(seat), self._players[seat]
        if why is not None and player.link is not None:
            _leave(player)
            reason = f"the stand-in has taken over: {why.value}"
            if isinstance(player.process, BotProcess):
                self._end_process(player.process, reason)
            elif isinstance(player.process, Person):
                player.process.bye(reason)

    def handed_over(self, seat: int) -> HandOver | None:
        """Return why the stand-in plays the rest of the match for this seat, or None while it does not."""
        return self._match.handed_over(seat)

    # Afterwards

    def record(self, key: MatchKey, sandbox: str) -> MatchRecord:
        """Return what is kept of the match, which must be over. Its processes are free then."""
        result = self._match.result()
        for player in self._players:
            if player.link is not None:
                _leave(player)
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
        if process is None or isinstance(process, Person):
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
        # What comes between two matches is the beginning of the next one's log.
        log.clear()
        return record


def _leave(player: Player) -> None:
    """Let a player go, because its match is over for it."""
    if isinstance(player.process, BotProcess):
        assert player.place is not None, "it has sat down"
        player.usage = player.process.stand_up(player.place)
    player.link = player.watchdog = None


def _start_failed(seat: int, failure: StartFailure) -> Fault:
    return Fault(
        seat,
        FaultKind.START_FAILED,
        failure.reason,
        sent=failure.sent,
        wall_us=failure.wall_us,
        cpu_us=failure.used.cpu_us,
        queued_us=failure.used.queued_us,
    )
