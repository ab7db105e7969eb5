"""Matches the lines of one bot process to the questions it was asked. Does no input or output, has no clock.

Bytes are fed in, and verdicts come out. A line is an answer, a late answer, a second answer, an answer to a
question that was never asked, or no message at all. Several questions may be open at once: a line belongs to
the question whose id it repeats, and a line that repeats none is a fault at the oldest one. `Match` decides
what a fault costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind
from protocol.canonical import canonical_card, canonical_cards
from protocol.codec import MAX_LINE, LineSplitter
from protocol.messages import Answer, CardAnswer, CardsAnswer, Ready, read_answer
from protocol.refusal import BadMessage, printable

FLOOD_LINES: Final = 64
"""The complete lines that may wait beyond one for each open question. More of them are a flood."""

# Compiled code looks a class of another module up by its name each time. These names are bound once.
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


def _canonical_choice(line: bytes, question_id: str, expected: type[Answer]) -> tuple[str, ...] | None:
    """Return the cards of a line that is the canonical answer to this question, else None.

    The line has its newline. None says nothing against the line: it may still be the answer, in another
    form.
    """
    if expected is _CARD:
        card = canonical_card(line, question_id)
        return None if card is None else (card,)
    return canonical_cards(line, question_id) if expected is _CARDS else None


def answer_of(expected: type[Answer], question_id: str, cards: tuple[str, ...]) -> Answer:
    """Return the answer to a `play` or a `pass`, whichever has the type `expected`, with these cards."""
    return CardAnswer(question_id, *cards) if expected is CardAnswer else CardsAnswer(question_id, cards)


class Inbox:
    """The lines of one bot process that nobody has judged yet, and the questions that are open there."""

    __slots__ = ("_answered", "_late", "_lines", "_open", "_unanswered")

    def __init__(self) -> None:
        self._lines = LineSplitter()
        # Oldest first.
        self._open: dict[str, type[Answer]] = {}
        # A list, because every decision adds to it, and only a stray line is looked up in it.
        self._answered: list[str] = []
        self._unanswered: set[str] = set()
        self._late: list[str] = []

    def expect(self, question_id: str, answer: type[Answer]) -> None:
        """Add a question to the open ones. Only an answer of this type with this id answers it."""
        self._open[question_id] = answer

    def give_up_on(self, question_id: str) -> None:
        """Close an open question that something else than its answer has settled.

        Its first answer counts as late from now on.
        """
        del self._open[question_id]
        self._unanswered.add(question_id)

    def feed(self, data: bytes) -> None:
        """Take in bytes that were read from the bot."""
        self._lines.feed(data)

    def take(self) -> tuple[str, Settled] | None:
        """Return the id of an open question and what settles it, or None while nothing that was fed does.

        Late first answers are dropped and noted on the way. An answer closes its question. After a `Wrong`
        the caller must call `give_up_on`.
        """
        if not self._open:
            return None
        waiting = self._lines.lines_waiting
        if waiting > len(self._open) + FLOOD_LINES or self._lines.unread_bytes > MAX_LINE:
            return next(iter(self._open)), self._flood()
        while (line := self._lines.next_line()) is not None:
            verdict = self._judge(line)
            if verdict is not None:
                return verdict
        return None

    # The usual case, in a fraction of the time of `take`: a canonical answer is recognised by its bytes.

    def take_choice(self, data: bytes, question_id: str, expected: type[Answer]) -> tuple[str, ...] | None:
        """Return the cards if `data` is exactly the canonical answer to this question, else None.

        The question is not told by `expect`. The result is None as well while another question is open or
        something else has come. The caller must `feed` the data then.
        """
        if self._open or self._lines.unread_bytes:
            return None
        cards = _canonical_choice(data, question_id, expected)
        if cards is not None:
            self._answered.append(question_id)
        return cards

    def take_choices(self, data: bytes) -> list[tuple[str, type[Answer], tuple[str, ...]]]:
        """Take in bytes that were read, and return the canonical answers that they begin with.

        Each answer must be the one to the oldest open question, and is returned as (question id, type of the
        answer, cards). All that follows them is left for `take`.
        """
        if self._lines.unread_bytes or not data.endswith(b"\n") or data.count(b"\n") > len(self._open):
            self._lines.feed(data)
            return []
        answers = []
        lines = data.splitlines(keepends=True)
        for line, (name, expected) in zip(lines, self._open.items(), strict=False):
            cards = _canonical_choice(line, name, expected)
            if cards is None:
                break
            answers.append((name, expected, cards))
        for name, _, _ in answers:
            self._close(name)
        if len(answers) < len(lines):
            self._lines.feed(b"".join(lines[len(answers) :]))
        return answers

    # What is left

    def take_late(self) -> list[str]:
        """Return the ids of closed questions whose first answer came since the last call, oldest first."""
        late, self._late = self._late, []
        return late

    @property
    def has_late(self) -> bool:
        """Return whether `take_late` has something to return."""
        return bool(self._late)

    @property
    def has_unread(self) -> bool:
        """Return whether a line, or a part of one, waits to be judged."""
        return self._lines.unread_bytes > 0

    def forget(self) -> None:
        """Forget the questions that were answered, because a new match begins.

        A second answer to one of them is then told as an answer to a question that was never asked.
        """
        self._answered.clear()

    @property
    def partial(self) -> bytes:
        """Return the beginning of a line whose newline has not come."""
        return self._lines.partial

    # Judging a line

    def _close(self, name: str) -> None:
        del self._open[name]
        self._answered.append(name)

    def _judge(self, line: bytes) -> tuple[str, Settled] | None:
        oldest = next(iter(self._open))
        # Most lines are the canonical answer to the oldest question, so that is tried first.
        cards = _canonical_choice(line + b"\n", oldest, self._open[oldest])
        if cards is not None:
            answer = answer_of(self._open[oldest], oldest, cards)
            self._close(oldest)
            return oldest, answer
        try:
            found = read_answer(line)
        except BadMessage as refused:
            return oldest, Wrong(FaultKind.BAD_MESSAGE, str(refused), printable(line))
        return self._judge_answer(found, line, oldest)

    def _judge_answer(self, answer: Answer, line: bytes, oldest: str) -> tuple[str, Settled] | None:
        name = answer.id
        if self._open.get(name) is type(answer):
            self._close(name)
            return name, answer
        if name in self._unanswered:
            self._unanswered.discard(name)
            self._answered.append(name)
            self._late.append(name)
            return None
        wrong = Wrong(FaultKind.BAD_MESSAGE, self._why_not_answer(answer), printable(line))
        return (name if name in self._open else oldest), wrong

    def _why_not_answer(self, answer: Answer) -> str:
        expected = self._open.get(answer.id)
        if expected is not None:
            asked, needed = _NEEDS[expected]
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
