"""A recorded match put to a bot again: the same bytes at one seat, without a clock. Prints nothing.

The questions are always the recorded ones, whatever the bot answers now. So each answer can be compared with
the recorded answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import trio

from arena.bot.answers import Wrong
from arena.bot.launch import BotCommand
from arena.bot.link import ask
from arena.errors import one_error
from arena.linux.alarm import run
from arena.linux.family import adopting_orphans
from arena.match.faults import Fault
from arena.match.messages import Message
from arena.match.rebuild import rebuild
from arena.match.record import NO_LIMIT_US, MatchRecord
from arena.workbench.bots import Bot
from arena.workbench.sparring import Evidence, Failed, Sparring, wanted
from protocol.codec import encode
from protocol.messages import PROTOCOL, CardAnswer, CardsAnswer


@dataclass(slots=True)
class Asked:
    """A recorded question with the news before it, and what the bot answers now.

    `place`: the round, and 0 for its pass or t + 1 for the play to trick t. `then`: the recorded answer, None
    where there was a fault instead. `seconds`: the time that the answer took now.
    """

    place: tuple[int, int]
    message: Message
    news: Sequence[Message]
    then: tuple[str, ...] | None = None
    fault: Fault | None = None
    now: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def line(self) -> bytes:
        """Return the bytes that are written to the bot: the news and the question."""
        return b"".join(map(encode, [*self.news, self.message]))

    @property
    def where(self) -> str:
        """Return its place in words."""
        round_, question = self.place
        return f"round {round_}, " + (f"trick {question - 1}" if question else "pass")

    @property
    def alike(self) -> bool:
        """Return whether the answer equals the recorded one. The order of passed cards does not matter."""
        return self.then is not None and sorted(self.now) == sorted(self.then)

    @property
    def illegal(self) -> str | None:
        """Return why the answer is illegal, or None."""
        cards, count = self.now, self.message.get("count", 1)
        allowed = self.message.get("legal", self.message["hand"])
        if len(set(cards)) == len(cards) == count and set(cards) <= set(allowed):
            return None
        what = "one" if count == 1 else f"{count} different cards"
        return f"not {what} of {' '.join(allowed)}"


def asked_of(record: MatchRecord, seat: int) -> list[Asked]:
    """Return every question that this seat was asked, in order.

    The list is empty for a seat in which no bot played. Raises ValueError or LookupError for a record that
    contradicts the rules.
    """
    faults = {(fault.round, fault.question): fault for fault in record.faults if fault.seat == seat}
    found: list[Asked] = []
    news: list[Message] = []
    for line in rebuild(record).lines:
        message = line.message
        kind = message["type"]
        if line.seat != seat:
            continue
        if line.from_bot:
            found[-1].then = tuple(message["cards"]) if kind == "cards" else (message["card"],)
            found[-1].fault = None
        elif kind in ("pass", "play"):
            place = message["round"], message["trick_number"] + 1 if kind == "play" else 0
            found.append(Asked(place, message, news, fault=faults.get(place)))
            news = []
        else:
            news.append(message)
    return found


def ask_again(
    bot: Bot,
    questions: Sequence[Asked],
    told: Callable[[Asked], object],
    before: Callable[[int, Asked], Awaitable[None]],
) -> None:
    """Start the bot, without a limit of memory, and put the questions to it; `told` hears of each answer.

    `before` is awaited before each question, with the number of the bot's own process. Raises Failed, with
    the evidence, when the bot does not start or answers no more.
    """

    async def put(sparring: Sparring) -> None:
        process = await sparring.start()
        for asked in questions:
            await before(process.program, asked)
            for message in asked.news:
                process.link.tell(message)
            kind = CardAnswer if asked.place[1] else CardsAnswer
            reply = await ask(process.link, asked.message, asked.message["id"], kind, NO_LIMIT_US)
            if isinstance(reply.settled, Wrong):
                found, sent = f"{reply.settled.reason} (at {asked.where})", reply.settled.sent.encode()
                stderr = sparring.stderr()
                raise Failed(Evidence(wanted(asked.message), found, asked.line, sent or None, stderr))
            assert isinstance(reply.settled, CardAnswer | CardsAnswer), "nothing else is accepted"
            asked.now, asked.seconds = reply.settled.cards, reply.wall_us / 1e6
            told(asked)

    with one_error(), adopting_orphans():
        failed = run(_put_to, replace(bot.command, memory_mib=0), put)
    if failed is not None:
        raise failed


async def _put_to(command: BotCommand, put: Callable[[Sparring], Awaitable[None]]) -> Failed | None:
    async with trio.open_nursery() as nursery:
        sparring = Sparring(command, nursery, {"protocol": PROTOCOL, "arena": "replay", "tables_max": 1})
        try:
            await put(sparring)
        except Failed as failed:
            return failed
        finally:
            await sparring.close()
            nursery.cancel_scope.cancel()
    return None
