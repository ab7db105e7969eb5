"""The sentences of the story of a match, as data, and what fills their blanks. No rule of the story is here.

A sentence has blanks in braces. What they hold is a `Who` (or several), a card, a text or a number; after a
colon stands "point" for a number of points with its noun, or "words" for a number in letters. Names of bots
and cards stay apart from the text, so that a page can set each as what it is. A translation has the same
blanks, in any order, and may count what the English does not; it must read well before any name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from string import Formatter
from typing import Final

from arena.translating import N_, found, ngettext, pgettext
from reports.pages.rounds import CardFace
from reports.text import number

__all__ = [
    "PHRASES", "Filling", "Part", "Sentence", "Who", "letters", "often", "one_of_suit", "phrase",
    "plain_text", "sentence", "several_of_suit",
]  # fmt: skip

PHRASES: Final[Mapping[str, str]] = {
    # Who won. Each is the beginning of the first sentence.
    "won": N_("{who} won with {total:point}, {margin} fewer than {second}"),
    "won clean": N_("{who} won without a single point, {margin:point} ahead of {second}"),
    "led": N_("{who} led after every round and won with {total:point}, {margin} fewer than {second}"),
    "came back": N_(
        "{who} was last after {rounds:words} of the {all:words} rounds and still won "
        "with {total:point}, {margin} fewer than {second}"
    ),
    "came back late": N_(
        "{who} was last before the last round and still won with {total:point}, {margin} fewer than {second}"
    ),
    "overtook": N_(
        "{who} overtook {other} in the last round and won with {total:point}, {margin} fewer than {second}"
    ),
    "overtook second": N_(
        "{who} overtook {other} in the last round and won by {margin:point}, {total} to {more}"
    ),
    "last trick": N_(
        "{who} came from behind in the last trick and won with {total:point}, {margin} fewer than {second}"
    ),
    "shared": N_("{who} shared first place with {total:point} each"),
    "shared clean": N_("{who} shared first place, without a single point"),
    "all level": N_("{who} ended level, with {total:point} each"),
    # How the winner did it: the end of the first sentence.
    "no papayoo": N_(", without ever taking the 40-point Papayoo"),
    "no papayoo once": N_(", without taking the 40-point Papayoo"),
    "clean round": N_(", and took no point in round {round}"),
    "clean rounds": N_(", and took no point in {rounds:words} of the {all:words} rounds"),
    "clean end": N_(", and took no point in the last {rounds:words} rounds"),
    "first": N_(", and took its first point in round {round}"),
    "first late": N_(", and took no point before the last round"),
    "first trick": N_(", and had no point until trick {trick} of round {round}"),
    "one round": N_(", and took points in round {round} only"),
    "one trick": N_(", and took points in a single trick"),
    "few": N_(", and took points in only {tricks:words} of {all} tricks"),
    "late": N_(", and took no point before trick {trick} of any round"),
    "late alone": N_(", and had no point until trick {trick}"),
    "into": N_(", and gave {other} {points:point} with its own cards"),
    "gave": N_(", and gave {other} the 40-point Papayoo {times}"),
    "despite": N_(", despite {charge:point} for {faults}"),
    "despite round": N_(", despite {points:point} in round {round}"),
    # What else happened: a sentence of its own.
    "papayoo": N_("{who} took {papayoo} in {rounds:words} of the {all:words} rounds"),
    "papayoo both": N_("{who} took {papayoo} in both rounds"),
    "papayoo all": N_("{who} took {papayoo} in all {all:words} rounds"),
    "papayoo once": N_("{who} took {papayoo} once, in round {round}, which made the difference"),
    "papayoo lost": N_("{who} took {papayoo} once, in round {round}, and lost by {margin:point}"),
    "share": N_("{who} took {points} of the 250 points of round {round}"),
    "everything": N_("{who} took all 250 points of round {round}"),
    "share alone": N_("{who} took {points} of the 250 points"),
    "everything alone": N_("{who} took all 250 points"),
    "most": N_("{who} took {points} of the {every} points of the match"),
    "big trick": N_("{who} took {points:point} in one trick of round {round}"),
    "lost there": N_("{who} took {points:point} in the last round"),
    "lost lead": N_("{who} led before the last round, in which it took {points:point}"),
    "first to last": N_("{who} led after {rounds:words} of the {all:words} rounds and finished last"),
    "first to last late": N_("{who} led before the last round and finished last"),
    "changes": N_("The lead changed {times} from round to round"),
    "last": N_("{who} finished last with {total:point}"),
    "fewest but": N_("{who} had the fewest card points, but {charge:point} for {faults}"),
    "charged": N_("{who} got {charge:point} for {faults}"),
    "stand-in": N_("A stand-in played for {who} {when}, {why}"),
    "stand-ins": N_("Stand-ins played for {who} after faults"),
    # Key moments. A trick ends with what it cost.
    "thrown": N_("{giver} had no {suit} and threw the Papayoo into {taker}’s trick of {points:point}"),
    "caught by lead": N_("{taker} led {card} and took {giver}’s Papayoo: {points:point}"),
    "caught": N_("{taker} took {giver}’s Papayoo with {card}: {points:point}"),
    "caught by lowest": N_("{taker} took {giver}’s Papayoo with {card}, its lowest {suit}: {points:point}"),
    "caught by only": N_("{taker} took {giver}’s Papayoo with {card}, its only {suit}: {points:point}"),
    "own": N_("{taker} took its own Papayoo: {points:point}"),
    "own led": N_("{taker} led the Papayoo and took it itself: {points:point}"),
    "papayoo back": N_(
        "The Papayoo came back: {taker} had passed it to {giver} and took it in a trick of {points:point}"
    ),
    "big": N_("{taker} took {points:point} in one trick, {card} from {giver} among them"),
    "big own": N_("{taker} took {points:point} in one trick with its own {card}"),
    "back": N_("{card} came back: {taker} had passed it to {giver} and took it in a trick of {points:point}"),
    "from here": N_(". {who} led from here to the end"),
    "round share": N_("{who} took {points} of the round’s 250 points"),
    "round everything": N_("{who} took all 250 points of the round"),
    "took over": N_("A stand-in took over for {who}, {why}"),
}
"""Every sentence, in the past tense, without its full stop."""


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
        if after := self._after():
            yield Part(after)

    def _after(self) -> str:
        if self.alone:
            return pgettext("after the name of a bot", "’s stand-in") if self.by_stand_in else ""
        if self.by_stand_in:
            return pgettext("after the name of a bot", " (seat %(seat)s)’s stand-in", seat=self.seat)
        return pgettext("after the name of a bot", " (seat %(seat)s)", seat=self.seat)


Filling = Who | Sequence[Who] | CardFace | int | Callable[[], str]
"""What a blank holds. A text is called for when it is needed: in the language of that moment."""


def phrase(key: str, **blanks: Filling) -> Sentence:
    """Return a sentence with its blanks filled. KeyError for a blank that is not given."""
    return _joined(part for piece in _pieces(found(PHRASES[key])) for part in _filled(*piece, blanks))


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
def _pieces(text: str) -> tuple[tuple[str, str | None, str], ...]:
    return tuple((before, blank, noun or "") for before, blank, noun, _ in Formatter().parse(text))


def _filled(text: str, blank: str | None, noun: str, blanks: Mapping[str, Filling]) -> Iterator[Part]:
    if text:
        yield Part(text)
    if blank is None:
        return
    value = blanks[blank]
    if isinstance(value, int):
        yield Part(_amount(value, noun))
    elif callable(value):
        yield Part(value())
    elif isinstance(value, CardFace):
        yield Part(value.name, card=value)
    elif isinstance(value, Who):
        yield from value.parts()
    else:
        yield from _all(value)


def _amount(value: int, noun: str) -> str:
    if noun == "words":
        return _spelled(value)
    if noun == "point":
        return ngettext("%(num)s point", "%(num)s points", value)
    return number(value)


def _spelled(value: int) -> str:
    """Return a number in letters up to twelve."""
    words = (
        pgettext("how many", "no"), pgettext("how many", "one"), pgettext("how many", "two"),
        pgettext("how many", "three"), pgettext("how many", "four"), pgettext("how many", "five"),
        pgettext("how many", "six"), pgettext("how many", "seven"), pgettext("how many", "eight"),
        pgettext("how many", "nine"), pgettext("how many", "ten"), pgettext("how many", "eleven"),
        pgettext("how many", "twelve"),
    )  # fmt: skip
    return words[value] if value < len(words) else number(value)


def often(times: int) -> str:
    """Return how often something happened: "twice", "three times"."""
    if times == 2:
        return pgettext("how often", "twice")
    spelled = _spelled(times)
    return pgettext("how often", "%(number)s times", number=spelled)


def one_of_suit(suit: str) -> str:
    """Return the word for a card of a suit. `suit`: its letter."""
    return {
        "S": pgettext("a card", "spade"), "H": pgettext("a card", "heart"),
        "D": pgettext("a card", "diamond"), "C": pgettext("a card", "club"),
        "P": pgettext("a card", "Payoo"),
    }[suit]  # fmt: skip


def several_of_suit(suit: str) -> str:
    """Return the word for several cards of a suit, or for none of it."""
    return {
        "S": pgettext("no cards", "spades"), "H": pgettext("no cards", "hearts"),
        "D": pgettext("no cards", "diamonds"), "C": pgettext("no cards", "clubs"),
        "P": pgettext("no cards", "Payoos"),
    }[suit]  # fmt: skip


def _all(several: Sequence[Who]) -> Iterator[Part]:
    """Yield "A", "A and B" or "A, B and C"."""
    for place, who in enumerate(several):
        if place:
            yield Part(pgettext("between names", " and ") if place == len(several) - 1 else ", ")
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
