"""Ties the lines of one bot process to its questions when several of them are open at once.

A line belongs to the open question whose id it repeats; one that repeats none is a fault at the oldest.
What it says about a line, and what a fault costs, is decided elsewhere.
"""

from __future__ import annotations

from arena.bot.inbox import Inbox, Settled, Wrong, answer_of, canonical_choice
from protocol.messages import Answer, read_answer
from protocol.refusal import BadMessage

__all__ = ["SharedInbox"]


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
