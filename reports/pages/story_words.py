"""The sentences of the story of a match, as data, and what fills their blanks. No rule of the story is here.

A sentence has blanks in braces. What they hold is a `Who` (or several), a card, a text or a number; after a
colon stands the noun that a number counts ("point", which gets an s beside all but 1), or "words" for a
number in letters. Names of bots and cards stay apart from the text, so that a page can set each as what it
is. Another language is another table with the same keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from string import Formatter
from typing import Final

from reports.pages.rounds import CardFace
from reports.text import count, number

__all__ = ["Filling", "Part", "Sentence", "Who", "letters", "phrase", "plain_text", "sentence", "spelled"]

_WORDS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip

PHRASES: Final[Mapping[str, str]] = {
    # Who won. Each is the beginning of the first sentence.
    "won": "{who} won with {total:point}, {margin} fewer than {second}",
    "won clean": "{who} won without a single point, {margin:point} ahead of {second}",
    "led": "{who} led after every round and won with {total:point}, {margin} fewer than {second}",
    "came back": "{who} was last after {rounds:words} of the {all:words} rounds and still won "
    "with {total:point}, {margin} fewer than {second}",
    "came back late": "{who} was last before the last round and still won "
    "with {total:point}, {margin} fewer than {second}",
    "overtook": "{who} overtook {other} in the last round and won with {total:point}, "
    "{margin} fewer than {second}",
    "overtook second": "{who} overtook {other} in the last round and won by {margin:point}, "
    "{total} to {more}",
    "last trick": "{who} came from behind in the last trick and won with {total:point}, "
    "{margin} fewer than {second}",
    "shared": "{who} shared first place with {total:point} each",
    "shared clean": "{who} shared first place, without a single point",
    "all level": "{who} ended level, with {total:point} each",
    # How the winner did it: the end of the first sentence.
    "no papayoo": ", without ever taking the 40-point Papayoo",
    "no papayoo once": ", without taking the 40-point Papayoo",
    "clean round": ", and took no point in round {round}",
    "clean rounds": ", and took no point in {rounds:words} of the {all:words} rounds",
    "clean end": ", and took no point in the last {rounds:words} rounds",
    "first": ", and took its first point in round {round}",
    "first trick": ", and had no point until trick {trick} of round {round}",
    "one round": ", and took points in round {round} only",
    "one trick": ", and took points in a single trick",
    "few": ", and took points in only {tricks:words} of {all} tricks",
    "late": ", and took no point before trick {trick} of any round",
    "late alone": ", and had no point until trick {trick}",
    "into": ", and gave {other} {points:point} with its own cards",
    "gave": ", and gave {other} the 40-point Papayoo {times}",
    "despite": ", despite {charge:point} for {faults}",
    "despite round": ", despite {points:point} in round {round}",
    # What else happened: a sentence of its own.
    "papayoo": "{who} took {papayoo} in {rounds:words} of the {all:words} rounds",
    "papayoo both": "{who} took {papayoo} in both rounds",
    "papayoo all": "{who} took {papayoo} in all {all:words} rounds",
    "papayoo once": "{who} took {papayoo} once, in round {round}, which made the difference",
    "papayoo lost": "{who} took {papayoo} once, in round {round}, and lost by {margin:point}",
    "share": "{who} took {points} of the 250 points of round {round}",
    "everything": "{who} took all 250 points of round {round}",
    "share alone": "{who} took {points} of the 250 points",
    "everything alone": "{who} took all 250 points",
    "most": "{who} took {points} of the {every} points of the match",
    "big trick": "{who} took {points:point} in one trick of round {round}",
    "lost there": "{who} took {points:point} in the last round",
    "lost lead": "{who} led before the last round, in which it took {points:point}",
    "first to last": "{who} led after {rounds:words} of the {all:words} rounds and finished last",
    "first to last late": "{who} led before the last round and finished last",
    "changes": "The lead changed {times} from round to round",
    "last": "{who} finished last with {total:point}",
    "fewest but": "{who} had the fewest card points, but {charge:point} for {faults}",
    "charged": "{who} got {charge:point} for {faults}",
    "stand-in": "A stand-in played for {who} {when}, {why}",
    "stand-ins": "Stand-ins played for {who} after faults",
    # Key moments. A trick ends with what it cost.
    "thrown": "{giver} had no {suit} and threw the Papayoo into {taker}’s trick of {points:point}",
    "caught by lead": "{taker} led {card} and took {giver}’s Papayoo: {points:point}",
    "caught": "{taker} took {giver}’s Papayoo with {card}: {points:point}",
    "caught by lowest": "{taker} took {giver}’s Papayoo with {card}, its lowest {suit}: {points:point}",
    "caught by only": "{taker} took {giver}’s Papayoo with {card}, its only {suit}: {points:point}",
    "own": "{taker} took its own Papayoo: {points:point}",
    "own led": "{taker} led the Papayoo and took it itself: {points:point}",
    "papayoo back": "The Papayoo came back: {taker} had passed it to {giver} "
    "and took it in a trick of {points:point}",
    "big": "{taker} took {points:point} in one trick, {card} from {giver} among them",
    "big own": "{taker} took {points:point} in one trick with its own {card}",
    "back": "{card} came back: {taker} had passed it to {giver} and took it in a trick of {points:point}",
    "from here": ". {who} led from here to the end",
    "round share": "{who} took {points} of the round’s 250 points",
    "round everything": "{who} took all 250 points of the round",
    "took over": "A stand-in took over for {who}, {why}",
}
"""Every sentence, in the past tense, without its full stop."""

SUITS: Final = {"S": "spade", "H": "heart", "D": "diamond", "C": "club", "P": "Payoo"}
"""A card of each suit."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: text, or the name of the bot at `seat`, or a card."""

    text: str
    seat: int | None = None
    card: CardFace | None = None


Sentence = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Who:
    """A bot in a sentence. `alone`: whether no other seat has its name.

    `by_stand_in`: whether what it did there was the stand-in's choice.
    """

    seat: int
    name: str
    alone: bool = True
    by_stand_in: bool = False

    def parts(self) -> Iterator[Part]:
        """Yield its name, with its seat if that is needed to tell whose it is."""
        yield Part(self.name, self.seat)
        after = "" if self.alone else f" (seat {self.seat})"
        if self.by_stand_in:
            after += "’s stand-in"
        if after:
            yield Part(after)


Filling = Who | Sequence[Who] | CardFace | int | str


def phrase(key: str, **blanks: Filling) -> Sentence:
    """Return a sentence with its blanks filled. KeyError for a blank that is not given."""
    return _joined(part for piece in _pieces(key) for part in _filled(*piece, blanks))


def sentence(*pieces: Sentence | str) -> Sentence:
    """Return one sentence of several pieces."""
    return _joined(part for piece in pieces for part in ((Part(piece),) if isinstance(piece, str) else piece))


def letters(words: Sentence) -> int:
    """Return the length of a sentence without the names in it, which may be as long as they like."""
    return sum(len(part.text) for part in words if part.seat is None)


def plain_text(sentence: Sentence) -> str:
    """Return a sentence as text. Whoever prints it makes the names visible."""
    return "".join(part.text for part in sentence)


@cache
def _pieces(key: str) -> tuple[tuple[str, str | None, str], ...]:
    return tuple((text, blank, noun or "") for text, blank, noun, _ in Formatter().parse(PHRASES[key]))


def _filled(text: str, blank: str | None, noun: str, blanks: Mapping[str, Filling]) -> Iterator[Part]:
    if text:
        yield Part(text)
    if blank is None:
        return
    value = blanks[blank]
    if isinstance(value, int):
        yield Part(_amount(value, noun))
    elif isinstance(value, str):
        yield Part(value)
    elif isinstance(value, CardFace):
        yield Part(value.name, card=value)
    elif isinstance(value, Who):
        yield from value.parts()
    else:
        yield from _all(value)


def _amount(value: int, noun: str) -> str:
    if noun == "words":
        return spelled(value)
    return count(value, noun) if noun else number(value)


def spelled(value: int) -> str:
    """Return a number in letters up to twelve."""
    return _WORDS[value] if value < len(_WORDS) else number(value)


def _all(several: Sequence[Who]) -> Iterator[Part]:
    """Yield "A", "A and B" or "A, B and C"."""
    for place, who in enumerate(several):
        if place:
            yield Part(" and " if place == len(several) - 1 else ", ")
        yield from who.parts()


def _joined(parts: Iterator[Part]) -> Sentence:
    """Join neighbouring texts: a page is as small as can be."""
    found: list[Part] = []
    texts: list[str] = []
    for part in parts:
        if part.seat is None and part.card is None:
            texts.append(part.text)
            continue
        if texts:
            found.append(Part("".join(texts)))
            texts.clear()
        found.append(part)
    if texts:
        found.append(Part("".join(texts)))
    return tuple(found)
