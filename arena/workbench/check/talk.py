"""The conversation of a script with a bot: lines out, one answer to each question, and what was wrong.

Knows no game and performs nothing itself: `stage` does.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.bot.link import silence, unended
from arena.workbench.check.script import Evidence, Failed, Heard, Receive, Script, Send
from protocol.codec import encode
from protocol.messages import Answer, CardAnswer, CardsAnswer, Ready, read_answer
from protocol.refusal import BadMessage

__all__ = ["Asked", "Talk", "Told"]

_TYPES: dict[type[Answer], str] = {Ready: "ready", CardsAnswer: "cards", CardAnswer: "card"}
_EXPECTED = {
    CardsAnswer: 'one line: "cards", with the id of the question',
    CardAnswer: 'one line: "card", with the id of the question',
}
_SHOWN_BYTES = 200
_BASE64 = re.compile(rb"[A-Za-z0-9+/=]*")
_WRAPPED_AT = (64, 76)
"""The lengths at which libraries break lines of base64, as PEM and MIME require."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to be put: the whole message, the type of its answer, and the seconds to answer."""

    message: Mapping[str, object]
    answer: type[Answer]
    seconds: float

    @property
    def id(self) -> str:
        """Return the id that the answer must have."""
        return str(self.message["id"])

    @property
    def line(self) -> bytes:
        """Return the bytes that are written to the bot."""
        return encode(self.message)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer, its line, the seconds that it took, and the line of its question.

    `queued`: for how many of these seconds the machine was busy with something else.
    """

    answer: Answer
    line: bytes
    after: float
    question: bytes
    queued: float = 0.0


class Talk:
    """The conversation with one bot.

    `tables`: the tables that it plays at once. `lenient`: whether illegal cards are no failure any more,
    because an earlier step has reported them. News waits for the next question and goes out with it, as with
    a referee.
    """

    def __init__(self, tables: int = 1) -> None:
        self.tables = tables
        self.lenient = False
        self.asked = 0
        """The answered questions so far."""
        self.spent = 0.0
        """The seconds that the bot took for them."""
        self._answered: set[str] = set()
        self._news: list[bytes] = []
        self._ids = (f"check-{number:06}" for number in itertools.count())

    def new_id(self) -> str:
        """Return an id that no other question has."""
        return next(self._ids)

    def tell(self, message: Mapping[str, object]) -> None:
        """Queue news, which goes out before the next question."""
        self._news.append(encode(message))

    def forget_news(self) -> None:
        """Drop the queued news, because the process that it was for is gone."""
        self._news.clear()

    def flush(self) -> Script[None]:
        """Send the queued news."""
        if self._news:
            lines = self._take_news()
            yield from self._send((lines,), 0.0)

    def ask(self, asked: Asked) -> Script[Told]:
        """Put one question and return the answer. Raises Failed."""
        (told,) = yield from self.ask_all([asked])
        return told

    def ask_in_pieces(self, asked: Asked, sizes: Sequence[int], pause: float) -> Script[Told]:
        """Do as `ask`, with the line cut into pieces of these sizes and a last piece."""
        whole = self._take_news() + asked.line
        ends = list(itertools.accumulate(sizes))
        pieces = [whole[start:end] for start, end in itertools.pairwise([0, *ends, len(whole)])]
        yield from self._send(tuple(piece for piece in pieces if piece), pause)
        (told,) = yield from self._answers([asked], whole)
        return told

    def ask_all(self, questions: Sequence[Asked]) -> Script[list[Told]]:
        """Put questions of several tables together, and return the answers in the questions' order."""
        whole = self._take_news() + b"".join(asked.line for asked in questions)
        yield from self._send((whole,), 0.0)
        return (yield from self._answers(questions, whole))

    def _take_news(self) -> bytes:
        lines = b"".join(self._news)
        self._news.clear()
        return lines

    def _send(self, pieces: tuple[bytes, ...], pause: float) -> Script[None]:
        heard = yield Send(pieces, pause)
        if heard.line is not None:
            found = "it said something without being asked, or answered a question twice"
            expected = "nothing before the next question"
            raise Failed(Evidence(expected, found, b"".join(pieces), heard.line))
        if heard.ended is not None:
            evidence = Evidence("that it goes on reading", heard.ended, b"".join(pieces))
            raise Failed(evidence, ended=True)

    def _answers(self, questions: Sequence[Asked], sent: bytes) -> Script[list[Told]]:
        open_ = {asked.id: asked for asked in questions}
        found: dict[str, Told] = {}
        while open_:
            seconds = min(asked.seconds for asked in open_.values())
            heard = yield Receive(seconds)
            first = next(iter(open_.values()))
            if heard.line is None:
                raise Failed(_nothing(first, heard, sent, seconds), ended=heard.ended is not None)
            answer = self._read(heard.line, open_, sent)
            asked = open_.pop(answer.id)
            found[answer.id] = Told(answer, heard.line, heard.after, asked.line, heard.queued)
            self._count(heard.after)
        return [found[asked.id] for asked in questions]

    def _read(self, line: bytes, open_: Mapping[str, Asked], sent: bytes) -> Answer:
        """Return the answer in a line. Raises Failed unless it answers one of the open questions."""
        expected = _EXPECTED[next(iter(open_.values())).answer]
        try:
            answer = read_answer(line)
        except BadMessage as refused:
            raise Failed(Evidence(expected, f"{refused}{_hint(line)}", sent, line)) from None
        asked = open_.get(answer.id)
        if asked is None:
            raise Failed(Evidence(expected, self._why_not(answer, open_), sent, line))
        if type(answer) is not asked.answer:
            found = f'"{_TYPES[type(answer)]}" where "{_TYPES[asked.answer]}" answers the question'
            raise Failed(Evidence(_EXPECTED[asked.answer], found, sent, line))
        self._answered.add(answer.id)
        return answer

    def _why_not(self, answer: Answer, open_: Mapping[str, Asked]) -> str:
        if answer.id in self._answered:
            return f"it answered question {answer.id} twice; each has exactly one answer"
        return f"an answer to question {answer.id}, which is not open; the question was {' or '.join(open_)}"

    def _count(self, after: float) -> None:
        self.asked += 1
        self.spent += after


def _hint(line: bytes) -> str:
    """Return what is probably wrong with a line that is no message, or an empty text."""
    if len(line) in _WRAPPED_AT and _BASE64.fullmatch(line):
        return f" It has just {len(line)} characters: does your base64 break its lines? Switch that off."
    return ""


def _nothing(first: Asked, heard: Heard, sent: bytes, seconds: float) -> Evidence:
    expected = f"{_EXPECTED[first.answer]}, within {seconds:g} s"
    if heard.ended is not None:
        found = heard.ended
    elif heard.partial:
        return Evidence(expected, unended(seconds, heard.partial), sent, heard.partial[:_SHOWN_BYTES])
    else:
        found = silence(seconds, heard.used)
    return Evidence(expected, found, sent)
