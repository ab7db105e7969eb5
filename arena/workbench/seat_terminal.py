"""A person who plays on a terminal, or through a pipe: prints the table, and reads what is typed.

Waits for what is typed in the event loop, so that bots, their limits and Ctrl-C are looked after meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import trio

from arena.bot.person import Person
from arena.errors import Interrupted
from arena.match.faults import HandOver
from arena.seat.seat import Refused, Seat
from arena.seat.view import View
from arena.workbench.seat_text import SeatText, cards_typed, replaced_text
from protocol.refusal import visible

LEFT = "You have left the table, and with that the match is over."
_ENDED = "The input has ended, and with it the match."
_QUIT = frozenset({"quit", "q", "exit"})
_HELP = frozenset({"?", "help"})
_SIZE = 4096


class Typed:
    """The lines that come from a descriptor, of any kind. It is read by nobody else."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._rest = b""
        self._ended = False

    async def line(self) -> str | None:
        """Wait for the next line, and return it without its end, or None when no more can come."""
        while b"\n" not in self._rest and not self._ended:
            await self._more()
        line, newline, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace") if line or newline else None

    async def _more(self) -> None:
        try:
            await trio.lowlevel.wait_readable(self._descriptor)
        except OSError:  # a file on a disk cannot be waited for, and need not be
            await trio.lowlevel.checkpoint()
        try:
            data = os.read(self._descriptor, _SIZE)
        except BlockingIOError:
            return
        except OSError:  # there is no standard input, or the terminal is gone
            data = b""
        self._rest += data
        self._ended = not data


class SeatTerminal:
    """A person at a terminal. `names`: by seat. `tell` prints a text as it is. `descriptor`: what is read.

    `seconds`: the time for an answer where the person has a clock, which is told with each question.
    """

    def __init__(
        self,
        names: Sequence[str],
        tell: Callable[[str], object],
        seconds: float | None = None,
        descriptor: int = 0,
    ) -> None:
        self._names = names
        self._tell = tell
        self._within = "" if seconds is None else f" ({seconds:g} s)"
        self._typed = Typed(descriptor)
        self._echoes = os.isatty(descriptor)
        self._text = SeatText(names)
        self._seat = Seat()
        self._prompt = ""
        """The prompt after which the cursor stands, or "" when it stands at the beginning of a line."""

    async def converse(self, person: Person) -> None:
        """Play until the referee says bye. Raises Interrupted when the person quits or the input ends."""
        while not self._seat.view.bye:
            view = self._seat.heard(await self._next(person))
            self.end_line()
            self._say(*self._text.new(view))

    async def _next(self, person: Person) -> bytes:
        """Return the next line of the referee. Meanwhile the person answers what is open.

        With a clock the next line may come before the answer.
        """
        heard = b""

        async def answer() -> None:
            if self._seat.view.question:
                person.say(await self._answer(self._seat.view))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(answer)
            heard = await person.hear()
            nursery.cancel_scope.cancel()
        return heard

    def replaced(self, seat: int, why: HandOver) -> None:
        """Tell that the stand-in plays on for a bot."""
        prompt = self._prompt
        self.end_line()
        self._say(replaced_text(self._names[seat], why))
        self._ask(prompt)

    def end_line(self) -> None:
        """Move to the beginning of a line, if a prompt is open."""
        if self._prompt:
            self._tell("\n")
            self._prompt = ""

    async def _answer(self, view: View) -> bytes:
        """Ask until the cards can be sent, and return the line."""
        while True:
            self._ask(f"{self._text.prompt(view)}{self._within}: ")
            typed = await self._typed.line()
            if typed is None:
                self.end_line()
                raise Interrupted(_ENDED)
            self._prompt = ""
            # A terminal has shown what was typed, and ended the line.
            if not self._echoes:
                self._tell(f"{visible(typed)}\n")
            word = typed.strip().lower()
            if word in _QUIT:
                raise Interrupted(LEFT)
            if word in _HELP:
                self._say(*self._text.help(view))
                continue
            try:
                return self._seat.answer(cards_typed(typed, view))
            except Refused as refused:
                self._say(visible(refused.sentence))

    def _ask(self, prompt: str) -> None:
        if prompt:
            self._tell(prompt)
            self._prompt = prompt

    def _say(self, *lines: str) -> None:
        if lines:
            self._tell("".join(f"{line}\n" for line in lines))
