"""The table as a person reads it on a terminal, and what the person types. Prints and reads nothing.

Rounds and tricks count from 0, as on all pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from arena.match.faults import HandOver
from arena.papayoo import hand_size, pass_count
from arena.seat.seat import Refused
from arena.seat.view import Fallen, Stage, Taken, View

_WIDTH = 80
_INDENT = 4

_REPLACED = {
    HandOver.CRASHED: "has crashed",
    HandOver.START_FAILED: "did not start",
    HandOver.FLOOD: "wrote too much",
    HandOver.RESOURCE: "used too much memory or processor time",
    HandOver.MAX_FAULTS: "has committed too many faults",
    HandOver.SILENT: "does not answer any more",
}


def replaced_text(name: str, why: HandOver) -> str:
    """Return the sentence that the stand-in plays on for a bot."""
    return f"{name} {_REPLACED[why]}: the stand-in plays its cards to the end of the match."


def cards_typed(typed: str, view: View) -> list[str]:
    """Return the names of the cards that were typed: names, or places among the legal cards from 1 on.

    Raises Refused where a place does not exist and where nothing was typed. Whether the cards may be chosen
    is not looked at.
    """
    words = typed.replace(",", " ").upper().split()
    if not words:
        raise Refused(f"Type {_wanted(view)}, such as {view.legal[0]}, or ? for help.")
    return [_card(word, view.legal) for word in words]


def _card(word: str, legal: Sequence[str]) -> str:
    if not (word.isascii() and word.isdigit()):
        return word
    place = int(word) if len(word) < 4 else 0
    if not 1 <= place <= len(legal):
        raise Refused(
            f"{word[:20]} is no place: the cards that you may choose have the places 1 to {len(legal)}."
        )
    return legal[place - 1]


def _wanted(view: View) -> str:
    return f"{view.count} cards" if view.stage is Stage.PASSING else "a card"


class SeatText:
    """Tells a person what is new at the table. `names`: by seat; the person's own is not used."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._seen = View()

    def new(self, view: View) -> Iterator[str]:
        """Yield the lines that tell what this view has beyond the one before."""
        before, self._seen = self._seen, view
        if not before.players:
            yield from self._welcome(view)
        if view.stood_in > before.stood_in:
            yield "The stand-in chose for you."
        if view.stage is Stage.PASSING and view.question:
            yield from ("", f"Round {view.round}, {self._does(view, view.dealer, 'deal')}.")
        if view.received and not before.received:
            yield from self._passed(view)
        yield from self._tricks(before, view)
        if view.question:
            yield from self._choice(view)
        if view.stage is Stage.ROUND_OVER:
            yield f"Round {view.round} is over."
            yield from self.points(view)
        if view.bye and view.stage is not Stage.MATCH_OVER:
            yield f"Your match is over, and the others play on: {view.bye}."

    def _welcome(self, view: View) -> Iterator[str]:
        others = [self._names[(view.seat + step) % view.players] for step in range(1, view.players)]
        rounds = "one round" if view.rounds == 1 else f"{view.rounds} rounds"
        yield f"You sit with {', '.join(others[:-1])} and {others[-1]}."
        yield "They play after you in this order."
        yield f"The match has {rounds}; the fewest points win. Type ? for help, quit to leave."

    def _does(self, view: View, seat: int, verb: str) -> str:
        return f"you {verb}" if seat == view.seat else f"{self._names[seat]} {verb}s"

    def _name(self, view: View, seat: int) -> str:
        return "you" if seat == view.seat else self._names[seat]

    def _passed(self, view: View) -> Iterator[str]:
        yield f"You pass {' '.join(view.passed)} to {self._names[view.left]}."
        yield f"You get {' '.join(view.received)} from {self._names[view.right]}."
        yield f"The Papayoo is {view.papayoo}: it counts 40 points."

    def _tricks(self, before: View, view: View) -> Iterator[str]:
        same_round = before.round == view.round and before.tricks == view.tricks[: len(before.tricks)]
        first = len(before.tricks) if same_round else 0
        for number, taken in enumerate(view.tricks[first:], first):
            yield from _wrapped(number, [*self._cards(taken.cards, view), self._taken(taken, view)])
        if view.stage is Stage.PLAYING and view.question:
            yield from _wrapped(view.trick_number, list(self._cards(view.trick, view)) or ["you lead"])

    def _cards(self, cards: Iterable[Fallen], view: View) -> Iterator[str]:
        for one in cards:
            yield f"{self._name(view, one.seat)} {one.card}"

    def _taken(self, taken: Taken, view: View) -> str:
        points = "" if not taken.points else f" {taken.points} point{'s' if taken.points != 1 else ''}"
        return f"-> {self._does(view, taken.taker, 'take')}{points or ' it'}"

    def _choice(self, view: View) -> Iterator[str]:
        yield f"  hand   {_by_suit(view.hand)}"
        if view.legal != view.hand:
            yield f"  legal  {_by_suit(view.legal)}"

    def prompt(self, view: View) -> str:
        """Return what is asked."""
        if view.stage is Stage.PASSING:
            return f"Pass {view.count} cards to {self._names[view.left]}"
        return "Play"

    def points(self, view: View) -> Iterator[str]:
        """Yield the points of the round and of the match."""
        names = [self._name(view, seat) for seat in range(view.players)]
        rows = [("", names), ("round", map(str, view.points)), ("match", map(str, view.totals))]
        for head, cells in rows:
            yield f"  {head:5}" + "".join(
                f"  {cell:>{max(4, len(name))}}" for cell, name in zip(cells, names, strict=True)
            )

    def help(self, view: View) -> Iterator[str]:
        """Yield the rules in short, what can be typed, and the points so far."""
        left, cards, passed = self._names[view.left], hand_size(view.players), pass_count(view.players)
        yield from (
            f"In each round you get {cards} cards, and pass {passed} of them to {left}. Then the die",
            "says which 7 is the Papayoo, and the dealer leads to the first trick. Follow suit",
            "if you can, otherwise play any card. The highest card of the suit that was led",
            "takes the trick, and who takes it leads to the next one. No suit is trump, nor",
            "is P (Payoo). Each P counts its number, the Papayoo 40, every other card",
            "nothing. The fewest points win.",
            "",
            "Type cards by name (S7 or s7), several with spaces between, or by their place",
            "among those that you may choose (1 is the first). No card can be taken back.",
            "? shows this again, quit ends the match.",
        )
        yield from self.points(view)
        yield from self._choice(view)


def _wrapped(number: int, parts: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a trick. They are not wider than a terminal, as long as no part is."""
    line = f"{number:4}"
    for part in parts:
        if len(line) > _INDENT and len(line) + 2 + len(part) > _WIDTH:
            yield line
            line = " " * _INDENT
        line += f"  {part}"
    yield line


def _by_suit(cards: Iterable[str]) -> str:
    return "   ".join(" ".join(suit) for _, suit in groupby(cards, key=lambda card: card[0]))
