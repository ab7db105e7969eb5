"""Puts reviewed decisions into words and cards, as the page of their match shows them. It reads nothing.

Cards leave here only under the names that the bots of that match saw, and only where they may be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from arena.deals import MatchKey
from arena.match.relabel import Relabelling
from arena.papayoo import PAPAYOOS
from arena.review.clusters import Estimate
from arena.review.findings import Place
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from arena.review.summary import Moment
from reports.pages.rounds import CardFace
from reports.selection import MatchLink
from reports.text import points

__all__ = [
    "PHASES",
    "CardGroup",
    "Known",
    "KnownMatch",
    "MomentRow",
    "PlaceLink",
    "as_it_lay",
    "decision_words",
    "estimated",
    "faces",
    "moment_row",
    "named_faces",
    "place_link",
    "plus_minus",
    "question_words",
    "round_link",
]

PHASES: Mapping[Phase, str] = {
    Phase.PASS: "pass",
    Phase.LEAD: "lead",
    Phase.FOLLOW: "following suit",
    Phase.DISCARD: "discard",
}
"""The phases as the pages call them, for `_`."""


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """A match for readers of a page. `suits`: as in `Relabelling`; empty while its cards may not be shown.

    Its `link` leads to cards then only if there are any.
    """

    link: MatchLink
    suits: str


Known = Callable[[MatchKey], KnownMatch | None]
"""Finds a match by its key; None if the pages do not have it."""


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards of one suit. `suit`: its letter in lower case, the class in the style sheet."""

    suit: str
    cards: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class PlaceLink:
    """A decision or round that is named: "match 12, round 1, trick 3", and the path there, None without."""

    words: str
    path: str | None


@dataclass(frozen=True, slots=True)
class MomentRow:
    """A costly decision. Without cards, where they may not be shown, all groups are empty.

    `cost`: with its error; `lay`: what it did with the cards as they lay; `table`: what lay there before.
    """

    where: PlaceLink
    phase: str
    cost: str
    lay: str
    chosen: tuple[CardGroup, ...]
    best: tuple[CardGroup, ...]
    hand: tuple[CardGroup, ...]
    table: tuple[CardGroup, ...]


def plus_minus(value: float, error: float | None, digits: int = 1) -> str:
    """Return a number with its standard error: "4.2 ± 0.6"; without one, the number."""
    return points(value, digits) + ("" if error is None else f" ± {points(error, digits)}")


def estimated(value: Estimate | None, digits: int = 2) -> str:
    """Return an estimate with its standard error; "–" if there is none."""
    return "–" if value is None else plus_minus(value.value, value.error, digits)


def question_words(question: int) -> str:
    """Return which question of a round it is: "pass", "trick 3"."""
    return f"trick {question - 1}" if question else "pass"


def decision_words(round_: int, question: int) -> str:
    """Return which decision of a match it is: "round 1, pass", "round 1, trick 3"."""
    if not question:
        return f"round {round_}, pass"
    return f"round {round_}, trick {question - 1}"


def as_it_lay(decision: Reviewed) -> str:
    """Return what a decision did with the cards as they lay: luck, in words."""
    true = decision.true_cost
    if not round(true, 1):
        return "as the cards lay, it made no difference"
    amount = points(abs(true), 0 if true == round(true) else 1)
    if true > 0:
        return f"as the cards lay, it cost {amount}"
    return f"as the cards lay, it saved {amount}"


def faces(suits: str, cards: int, papayoo_suit: int | None = None) -> tuple[CardGroup, ...]:
    """Return a set of cards, by suit, under the names of the match with these `suits`."""
    return _grouped(suits, Relabelling.of(suits).names(cards), papayoo_suit)


def _grouped(suits: str, names: list[str], papayoo_suit: int | None) -> tuple[CardGroup, ...]:
    papayoo = "" if papayoo_suit is None else Relabelling.of(suits).card_names[PAPAYOOS[papayoo_suit]]
    return named_faces(names, papayoo)


def named_faces(names: Iterable[str], papayoo: str) -> tuple[CardGroup, ...]:
    """Return cards by suit, in the order of their names given. `papayoo`: the name of the one that is it."""
    shown = (CardFace(name, papayoo=name == papayoo) for name in names)
    return tuple(CardGroup(suit, tuple(own)) for suit, own in groupby(shown, key=lambda face: face.suit))


def place_link(known: Known, place: Place, turn: int | None = None) -> PlaceLink:
    """Return the link to a decision. `turn`: which card of its trick it is, from 0; None if not known."""
    key, round_, question, _seat = place
    anchor = f"r{round_}p"
    if question:
        anchor = f"r{round_}t{question - 1}" + ("" if turn is None else f"c{turn}")
    return _link(known(key), decision_words(round_, question), anchor)


def round_link(known: Known, key: MatchKey, round_: int) -> PlaceLink:
    """Return the link to a round."""
    return _link(known(key), f"round {round_}", f"r{round_}")


def _link(match: KnownMatch | None, place: str, anchor: str) -> PlaceLink:
    if match is None:
        return PlaceLink(f"a match that is not shown, {place}", None)
    words = f"match {match.link.number}, {place}"
    shown = match.link.path is not None and bool(match.suits)
    return PlaceLink(words, match.link.at(anchor) if shown else None)


def moment_row(known: Known, moment: Moment) -> MomentRow:
    """Return a costly decision as a row."""
    decision, match, suit = moment.decision, known(moment.decision.match), moment.papayoo_suit
    suits = match.suits if match else ""
    names = Relabelling.of(suits).card_names if suits else ()
    chosen, best, hand = (
        faces(suits, cards, suit) if suits else () for cards in (decision.chosen, decision.best, moment.hand)
    )
    return MomentRow(
        where=place_link(known, decision.place, len(moment.table)),
        phase=PHASES[decision.phase],
        cost=plus_minus(decision.cost, decision.error),
        lay=as_it_lay(decision),
        chosen=chosen,
        best=best,
        hand=hand,
        table=_grouped(suits, [names[card] for card in moment.table], suit) if suits else (),
    )
