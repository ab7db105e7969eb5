"""One match of a bot under check: the bot at one seat, the stand-in at all others. Performs nothing itself.

All messages to the bot come from the same state machine as in a league, so that a check cannot say anything
that a referee would not say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.deals import Deals, MatchKey, PhaseDeals, seeded_secret
from arena.match.faults import Fault, FaultKind
from arena.match.game import Match, Question, addressed
from arena.match.record import MatchSetup, Terms
from arena.match.stand_in import from_deals
from arena.papayoo import hand_size
from arena.workbench.check.script import Evidence, Failed, Script
from arena.workbench.check.talk import Asked, Talk, Told
from protocol.messages import CardAnswer, CardsAnswer

__all__ = [
    "GRACE",
    "MOVE_MS",
    "Decision",
    "Game",
    "Played",
    "Rewrite",
    "Running",
    "ask_legal",
    "ask_next",
    "finish",
    "play",
]

_DEALS = PhaseDeals(seeded_secret("arena check", 0))
MOVE_MS = 250
"""The time for a decision that a bot is told of. It is short, for some bots use all the time they have."""
GRACE = 2.0
"""The seconds beyond that time in which an answer is still accepted where lateness is not checked."""
_PAUSE = 0.01
_FAULT_POINTS, _MAX_FAULTS = 40, 1_000_000
"""So many faults are allowed that no match is handed over: a check reports every mistake."""

Rewrite = Callable[[Mapping[str, object]], Mapping[str, object]]
"""A function that changes a message before it is sent."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A bot's decision; `illegal` has the evidence if the rules forbid it."""

    question: Question
    cards: tuple[str, ...]
    told: Told
    illegal: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A match to be played. `number` determines the boards, the letters of the suits and the bot's seed."""

    number: int
    players: int
    seat: int
    rounds: int = 1
    move_ms: int = MOVE_MS
    bank_ms: int = 0
    table: int = 0

    @property
    def deals(self) -> Deals:
        """Return the deals of the match; equal games have equal deals."""
        return _DEALS.session(0, self.number)

    def setup(self) -> MatchSetup:
        """Return the setup of the match; equal games have equal setups."""
        key, deals = self.key, self.deals
        terms = Terms(self.move_ms, self.bank_ms, _FAULT_POINTS, _MAX_FAULTS)
        return MatchSetup(
            boards=tuple(deals.board(r, self.players) for r in range(self.rounds)),
            suits=deals.suits(key),
            seeds=tuple(deals.bot_seed(key, seat) for seat in range(self.players)),
            terms=terms,
        )

    @property
    def key(self) -> MatchKey:
        """Return the key from which boards, suits and seeds follow."""
        return MatchKey(0, self.number, 0)


@dataclass(slots=True)
class Played:
    """The decisions of a match so far, and the kinds of events that the bot was told of."""

    game: Game
    decisions: list[Decision] = field(default_factory=list)
    events: set[str] = field(default_factory=set)
    over: bool = False

    @property
    def cards(self) -> list[tuple[str, ...]]:
        """Return the cards of each decision."""
        return [decision.cards for decision in self.decisions]


class Running:
    """A match that is being played, a question at a time."""

    def __init__(self, game: Game, rewrite: Rewrite = lambda message: message) -> None:
        others = [seat for seat in range(game.players) if seat != game.seat]
        self.played = Played(game)
        self._match = Match(game.setup(), from_deals(game.deals, game.key), others)
        self._rewrite = rewrite
        self._match.begin()

    @property
    def over(self) -> bool:
        """Return whether the match has been played out."""
        return self._match.over

    @property
    def passing(self) -> bool:
        """Return whether the next question is for a pass."""
        return len(self.played.decisions) % (1 + hand_size(self.played.game.players)) == 0

    def tell_news(self, talk: Talk) -> None:
        """Queue the news for the bot."""
        for seat, message in self._match.take_news():
            if seat == self.played.game.seat:
                talk.tell(self._written(addressed(message, self.played.game.table)))

    def next_question(self, question_id: str, grace: float = GRACE) -> tuple[Question, Asked]:
        """Return the bot's next question; `grace`: the seconds to wait beyond its time."""
        question = self._match.ask(self.played.game.seat)
        message = self._written(addressed(question.message, self.played.game.table, question_id))
        expected = CardsAnswer if question.is_pass else CardAnswer
        return question, Asked(message, expected, question.limit_us / 1e6 + grace)

    def _written(self, message: Mapping[str, object]) -> Mapping[str, object]:
        events = message.get("events", ())
        assert isinstance(events, list | tuple), "events are a list"
        self.played.events |= {_kind(event) for event in events}
        return self._rewrite(dict(message))

    def answered(self, question: Question, asked: Asked, told: Told) -> Decision:
        """Note the bot's answer; the stand-in decides in place of an illegal answer."""
        answer = told.answer
        assert isinstance(answer, CardAnswer | CardsAnswer), "the talk lets nothing else through"
        cards = (answer.card,) if isinstance(answer, CardAnswer) else answer.cards
        took_us = min(round(told.after * 1e6), question.limit_us)
        refusal = self._match.answer(question.seat, cards, took_us)
        illegal = None
        if refusal is not None:
            illegal = Evidence(_legal(question), refusal, asked.line, told.line)
            self._fault(question, FaultKind.ILLEGAL)
        return self._note(Decision(question, cards, told, illegal))

    def too_late(self, question: Question, told: Told) -> None:
        """Discard the bot's answer: the stand-in decides, as after a timeout."""
        self._fault(question, FaultKind.TIMEOUT)
        self._match.late_answer(question.seat)
        self._note(Decision(question, (), told))

    def _fault(self, question: Question, kind: FaultKind) -> None:
        self._match.fault(Fault(question.seat, kind, "", question.round, question.number))

    def _note(self, decision: Decision) -> Decision:
        self.played.decisions.append(decision)
        return decision


def _kind(event: object) -> str:
    assert isinstance(event, Mapping), "an event is a map"
    by = event.get("by")
    return f"{event['event']} by the stand-in" if by == "stand_in" else str(event["event"])


def _legal(question: Question) -> str:
    message = question.message
    if question.is_pass:
        return f"{message['count']} different cards of the hand: {' '.join(message['hand'])}"
    return f"one of the legal cards: {' '.join(message['legal'])}"


def play(
    talk: Talk, game: Game, *, rewrite: Rewrite = lambda message: message, seconds: float = 1e9
) -> Script[Played]:
    """Play a match, but end early when the bot has used `seconds` seconds. Raises Failed at a mistake."""
    running = Running(game, rewrite)
    until = talk.spent + seconds
    while not running.over and talk.spent < until:
        yield from ask_legal(talk, running)
    yield from finish(talk, running)
    return running.played


def finish(talk: Talk, running: Running) -> Script[None]:
    """Send the last news, if the match is over."""
    running.tell_news(talk)
    yield from talk.flush()
    running.played.over = running.over


def ask_legal(talk: Talk, running: Running, sizes: Sequence[int] = ()) -> Script[Decision]:
    """Do as `ask_next`, but raise Failed for an illegal answer, unless the talk is lenient."""
    decision = yield from ask_next(talk, running, sizes)
    if decision.illegal is not None and not talk.lenient:
        raise Failed(decision.illegal)
    return decision


def ask_next(talk: Talk, running: Running, sizes: Sequence[int] = ()) -> Script[Decision]:
    """Put the next question, after the news; with `sizes`, the line is sent in pieces of these sizes."""
    running.tell_news(talk)
    question, asked = running.next_question(talk.new_id())
    if sizes:
        told = yield from talk.ask_in_pieces(asked, sizes, _PAUSE)
    else:
        told = yield from talk.ask(asked)
    return running.answered(question, asked, told)
