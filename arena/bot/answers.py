"""Matches the lines of one bot process to the questions it was asked, and says what each line was.

An answer, a late one, a second one, one to a question never asked, no message at all. Where several
questions are open at once, a line belongs to the one whose id it repeats; a line that repeats none is a
fault at the oldest. No input or output and no clock: bytes are fed in, verdicts come out. `Match` decides
what a fault costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind
from protocol.canonical import canonical_card, canonical_cards
from protocol.codec import MAX_LINE
from protocol.lines import LineSplitter
from protocol.messages import Answer, CardAnswer, CardsAnswer, Ready, read_answer
from protocol.refusal import BadMessage, printable

__all__ = ["FLOOD_LINES", "Inbox", "Settled", "SharedInbox", "Wrong", "answer_of", "canonical_choice"]

FLOOD_LINES: Final = 64
"""More complete lines than this, waiting beyond the one answer that was asked for, are a flood."""

# Compiled, a class of another module is looked up by its name each time.
_CARD: Final = CardAnswer
_CARDS: Final = CardsAnswer
_NEEDS: Final = {Ready: ("hello", "ready"), CardsAnswer: ("pass", "cards"), CardAnswer: ("play", "card")}


@dataclass(frozen=True, slots=True)
class Wrong:
    """A line that is a fault at the open question: its kind, why, and what was sent."""

    kind: FaultKind
    reason: str
    sent: str = ""


Settled: TypeAlias = Answer | Wrong
"""What closes a question."""


def canonical_choice(line: bytes, question_id: str, expected: type[Answer]) -> tuple[str, ...] | None:
    """The cards of a whole line that is the canonical answer to this question; None if it may be another."""
    if expected is _CARD:
        card = canonical_card(line, question_id)
        return None if card is None else (card,)
    return canonical_cards(line, question_id) if expected is _CARDS else None


def answer_of(expected: type[Answer], question_id: str, cards: tuple[str, ...]) -> Answer:
    """The answer of this type, of those to `play` and `pass`, with these cards."""
    return CardAnswer(question_id, *cards) if expected is CardAnswer else CardsAnswer(question_id, cards)


class Inbox:
    """What a bot process has sent and nobody has judged yet; at most one question is open."""

    __slots__ = ("_answered", "_expected", "_late", "_lines", "_open", "_unanswered")

    def __init__(self) -> None:
        self._lines = LineSplitter()
        self._open: str | None = None
        self._expected: type[Answer] = Ready
        self._answered: list[str] = []  # hardly ever looked through
        self._unanswered: set[str] = set()
        self._late: list[str] = []

    def feed(self, data: bytes) -> None:
        """Take in what was read from the bot."""
        self._lines.feed(data)

    def expect(self, question_id: str, answer: type[Answer]) -> None:
        """A question is put; only an answer of this type with this id answers it."""
        self._open = question_id
        self._expected = answer

    def give_up(self) -> None:
        """The open question is closed by something else than its answer, which may still come, late."""
        if self._open is not None:
            self._unanswered.add(self._open)
            self._open = None

    def take(self, open_questions: int = 1) -> Settled | None:
        """What settles the open question, as far as what was fed tells; None while nothing does.

        Late first answers are dropped and counted on the way. An answer closes the question; after
        anything else the caller says `give_up`.
        """
        if self._lines.lines_waiting > open_questions + FLOOD_LINES or self._lines.unread_bytes > MAX_LINE:
            return self._flood()
        while (line := self._lines.next_line()) is not None:
            verdict = self._judge(line)
            if verdict is not None:
                return self._close(verdict)
        return None

    def take_choice(self, data: bytes) -> tuple[str, ...] | None:
        """The cards, when what was read is the canonical answer to the open question and nothing else has
        come: the usual case, in a fraction of the time of `take_from`, which None leaves the data to,
        unchanged."""
        name = self._open
        if name is None or self._lines.unread_bytes:
            return None
        cards = canonical_choice(data, name, self._expected)
        if cards is not None:
            self._answered.append(name)
            self._open = None
        return cards

    def take_from(self, data: bytes) -> Settled | None:
        """`feed` and `take`. One line and nothing else does not go through the splitter."""
        if self._lines.unread_bytes or data.find(b"\n") != len(data) - 1:
            self._lines.feed(data)
            return self.take()
        verdict = self._judge(data[:-1])
        return None if verdict is None else self._close(verdict)

    def take_late(self) -> list[str]:
        """The ids of the closed questions whose first answer came since the last call, oldest first."""
        late, self._late = self._late, []
        return late

    @property
    def has_late(self) -> bool:
        """Whether `take_late` has something to tell."""
        return bool(self._late)

    @property
    def has_unread(self) -> bool:
        """Whether a line, or a part of one, waits to be judged."""
        return self._lines.unread_bytes > 0

    def forget(self) -> None:
        """A new match begins: answers given so far need not be told from ids never sent."""
        self._answered.clear()

    @property
    def partial(self) -> bytes:
        """The beginning of a line whose newline has not come."""
        return self._lines.partial

    def _close(self, verdict: Settled) -> Settled:
        if not isinstance(verdict, Wrong) and self._open is not None:
            self._answered.append(self._open)
            self._open = None
        return verdict

    def _judge(self, line: bytes) -> Settled | None:
        try:
            answer = read_answer(line)
        except BadMessage as refused:
            return Wrong(FaultKind.BAD_MESSAGE, str(refused), printable(line))
        return self._judge_answer(answer, line)

    def _judge_answer(self, answer: Answer, line: bytes) -> Settled | None:
        if answer.id == self._open and type(answer) is self._expected:
            return answer
        if answer.id in self._unanswered:
            self._unanswered.discard(answer.id)
            self._answered.append(answer.id)
            self._late.append(answer.id)
            return None
        return Wrong(FaultKind.BAD_MESSAGE, self._why_not_answer(answer), printable(line))

    def _why_not_answer(self, answer: Answer) -> str:
        if answer.id == self._open:
            asked, needed = _NEEDS[self._expected]
            given = _NEEDS[type(answer)][1]
            return FaultSentence.OTHER_TYPE.say(asked=asked, needed=needed, given=given)
        if answer.id in self._answered:
            return FaultSentence.SECOND_ANSWER.say(id=answer.id)
        return FaultSentence.NEVER_ASKED.say(id=answer.id)

    def _flood(self) -> Wrong:
        waiting, unread = self._lines.lines_waiting, self._lines.unread_bytes
        first = self._lines.next_line() or self._lines.partial
        reason = FaultSentence.TOO_MUCH_AT_ONCE.say(size=unread, lines=waiting)
        if len(first) >= MAX_LINE:
            reason = FaultSentence.LONG_LINE.say(limit=MAX_LINE)
        return Wrong(FaultKind.FLOOD, reason, printable(first))


class SharedInbox(Inbox):
    """An inbox that takes further questions: `expect_also`, then `take_one`. Apart from that an `Inbox`."""

    __slots__ = ("_about", "_types")

    def __init__(self) -> None:
        super().__init__()
        self._types: dict[str, type[Answer]] = {}  # of the open questions, oldest first
        self._about = ""

    def expect_also(self, question_id: str, answer: type[Answer]) -> None:
        """One more question is put, beside those that are open; only this type of answer answers it."""
        self._types[question_id] = answer

    def take_choices(self, data: bytes) -> list[tuple[str, type[Answer], tuple[str, ...]]]:
        """Take in what was read, and give out the answers it begins with, as long as each is the canonical
        one to the oldest open question: (its id, the type of the answer, the cards). It is the usual case,
        and takes a fraction of `take_one`; all that is not like that is left for it."""
        if self._lines.unread_bytes or not data.endswith(b"\n") or data.count(b"\n") > len(self._types):
            self._lines.feed(data)
            return []
        answers = []
        lines = data.splitlines(keepends=True)
        for line, (name, expected) in zip(lines, self._types.items(), strict=False):
            cards = canonical_choice(line, name, expected)
            if cards is None:
                break
            answers.append((name, expected, cards))
        for name, _, _ in answers:
            self._answered.append(name)
            del self._types[name]
        if len(answers) < len(lines):
            self._lines.feed(b"".join(lines[len(answers) :]))
        return answers

    def take_one(self) -> tuple[str, Settled] | None:
        """What settles one of the questions of `expect_also`, at least one of which is open, and its id.

        An answer closes its question; after anything else the caller says `give_up_on`.
        """
        self._turn_to(next(iter(self._types)))
        settled = self.take(len(self._types))
        if settled is None:
            self._open = None
            return None
        if not isinstance(settled, Wrong):
            del self._types[self._about]
        self._open = None
        return self._about, settled

    def give_up_on(self, question_id: str) -> None:
        """`give_up`, of one of the open questions."""
        del self._types[question_id]
        self._unanswered.add(question_id)

    def _turn_to(self, question_id: str) -> None:
        self._open = self._about = question_id
        self._expected = self._types[question_id]

    def _judge(self, line: bytes) -> Settled | None:
        if not self._types:
            return super()._judge(line)
        oldest = self._open
        assert oldest is not None, "take_one has turned to it"
        cards = canonical_choice(line + b"\n", oldest, self._expected)  # mostly, as in `take_choice`
        if cards is not None:
            return answer_of(self._expected, oldest, cards)
        try:
            answer = read_answer(line)
        except BadMessage:
            return super()._judge(line)
        if answer.id in self._types:
            self._turn_to(answer.id)
        return self._judge_answer(answer, line)
