"""A recorded match put to a bot again: the same bytes at one seat, without a clock. Prints nothing.

The questions are always the recorded ones, whatever the bot answers now. So each answer can be compared with
the recorded answer.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import trio

from arena.errors import one_error
from arena.linux.alarm import run
from arena.linux.family import adopting_orphans
from arena.match.faults import Fault
from arena.match.messages import Message
from arena.match.rebuild import rebuild
from arena.match.record import MatchRecord
from arena.workbench.bots import Bot
from arena.workbench.check.script import Evidence, Failed, Receive, Script, Send
from arena.workbench.check.stage import Stage
from protocol.codec import encode
from protocol.messages import PROTOCOL, CardAnswer, CardsAnswer, read_answer
from protocol.refusal import BadMessage

__all__ = ["Again", "Asked", "Place", "asked_of", "relive"]


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a decision in a match: `question` 0 is the round's pass, t + 1 the play to trick t."""

    round: int
    question: int

    def __str__(self) -> str:
        return f"round {self.round}, " + (f"trick {self.question - 1}" if self.question else "pass")


@dataclass(frozen=True, slots=True)
class Asked:
    """A recorded question with the news before it.

    `then`: the recorded answer, None where there was a fault instead. `fault`: that fault.
    """

    place: Place
    message: Message
    news: bytes
    then: tuple[str, ...] | None = None
    fault: Fault | None = None

    @property
    def line(self) -> bytes:
        """Return the bytes that are written to the bot: the news and the question."""
        return self.news + encode(self.message)


@dataclass(frozen=True, slots=True)
class Again:
    """The bot's answer now, the seconds that it took, and why the answer is illegal, if it is."""

    asked: Asked
    now: tuple[str, ...]
    seconds: float
    illegal: str | None = None

    @property
    def alike(self) -> bool:
        """Return whether the answer equals the recorded one. The order of passed cards does not matter."""
        return self.asked.then is not None and sorted(self.now) == sorted(self.asked.then)


def asked_of(record: MatchRecord, seat: int) -> list[Asked]:
    """Return every question that this seat was asked, in order.

    The list is empty for a seat in which no bot played. Raises ValueError or LookupError for a record that
    contradicts the rules.
    """
    faults = {(fault.round, fault.question): fault for fault in record.faults if fault.seat == seat}
    found: list[Asked] = []
    news = b""
    for line in rebuild(record).lines:
        if line.seat != seat:
            continue
        kind = line.message["type"]
        if line.from_bot:
            last = found[-1]
            then = tuple(line.message["cards"]) if kind == "cards" else (line.message["card"],)
            found[-1] = Asked(last.place, last.message, last.news, then)
        elif kind in ("pass", "play"):
            place = _place(line.message)
            found.append(Asked(place, line.message, news, fault=faults.get((place.round, place.question))))
            news = b""
        else:
            news += encode(line.message)
    return found


def _place(message: Message) -> Place:
    question = message["trick_number"] + 1 if message["type"] == "play" else 0
    return Place(message["round"], question)


def relive(
    bot: Bot,
    questions: Sequence[Asked],
    told: Callable[[Again], object],
    stop_before: Place | None = None,
    stopped: Callable[[int, Asked], Awaitable[None]] | None = None,
    *,
    seconds: float = math.inf,
) -> None:
    """Start the bot and put the questions to it; `told` receives every answer.

    Before the question at `stop_before`, `stopped` is awaited with the number of the bot's own process and
    that question. `seconds`: how long to wait for an answer. Raises Failed, with the evidence, when the bot
    does not start or answers no more.
    """
    failed: BaseException | None = None
    with one_error(), adopting_orphans():
        try:
            run(_relive, bot, _Putting(questions, told, seconds), stop_before, stopped)
        except* Failed as group:
            failed = group
    while isinstance(failed, BaseExceptionGroup):
        failed = failed.exceptions[0]
    if failed is not None:  # Python before 3.11.4 puts what is raised in an `except*` into a group
        raise failed from None


@dataclass(frozen=True, slots=True)
class _Putting:
    """The questions, who is told the answers, and how long to wait for each."""

    questions: Sequence[Asked]
    told: Callable[[Again], object]
    seconds: float

    def script(self, first: int, end: int) -> Script[None]:
        for asked in self.questions[first:end]:
            self.told((yield from _ask(asked, self.seconds)))


async def _relive(
    bot: Bot,
    putting: _Putting,
    stop_before: Place | None,
    stopped: Callable[[int, Asked], Awaitable[None]] | None,
) -> None:
    questions = putting.questions
    places = [asked.place for asked in questions]
    until = places.index(stop_before) if stop_before in places else len(places)
    async with trio.open_nursery() as nursery:
        stage = Stage(bot.command, nursery, {"protocol": PROTOCOL, "arena": "replay", "tables_max": 1})
        try:
            await stage.start()
            await stage.perform(putting.script(0, until))
            if stopped is not None and stage.process is not None and until < len(places):
                await stopped(stage.process.program, questions[until])
                await stage.perform(putting.script(until, len(places)))
        finally:
            await stage.close()
            nursery.cancel_scope.cancel()


def _ask(asked: Asked, seconds: float) -> Script[Again]:
    expected = 'one line: "cards"' if asked.place.question == 0 else 'one line: "card"'
    heard = yield Send((asked.line,))
    if heard.line is not None or heard.ended is not None:
        found = heard.ended or f"it said something before the question at {asked.place}"
        raise Failed(Evidence("nothing before the next question", found, asked.line, heard.line))
    heard = yield Receive(seconds)
    if heard.line is None:
        found = f"{heard.ended or f'no answer within {seconds:g} s'} (at {asked.place})"
        raise Failed(Evidence(expected, found, asked.line, heard.partial or None))
    try:
        answer = read_answer(heard.line)
    except BadMessage as refused:
        raise Failed(Evidence(expected, f"{refused} (at {asked.place})", asked.line, heard.line)) from None
    if not isinstance(answer, CardAnswer | CardsAnswer) or answer.id != asked.message["id"]:
        found = f"it does not answer the question at {asked.place}"
        raise Failed(Evidence(expected, found, asked.line, heard.line))
    now = (answer.card,) if isinstance(answer, CardAnswer) else answer.cards
    return Again(asked, now, heard.after, _why_illegal(asked.message, now))


def _why_illegal(message: Message, cards: tuple[str, ...]) -> str | None:
    allowed, count = message.get("legal", message["hand"]), message.get("count", 1)
    if len(set(cards)) == len(cards) == count and set(cards) <= set(allowed):
        return None
    what = "one" if count == 1 else f"{count} different cards"
    return f"not {what} of {' '.join(allowed)}"
