"""Reads the matches of a site, and plays the rounds of a page by the rules as a reader would know them.

A second account of the rules on purpose: what a page shows must hold without the arena's own engine.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.reports.parsed import Element


@dataclass(frozen=True, slots=True)
class ReadRound:
    """What the page says of a round; cards by name, lists by seat."""

    dealer: int
    papayoo: str
    dealt: list[list[str]]
    passed: list[list[str]]
    tricks: list[ReadTrick]


@dataclass(frozen=True, slots=True)
class ReadTrick:
    """A row of the table of tricks. `so_far`: the points of the taker in the round, with these."""

    leader: int
    cards: list[str]
    taker: int
    points: int
    so_far: int


def matches_of(site: Path) -> dict[int, dict[str, Any]]:
    """The data of all matches of a site, by number, with the names of their bots."""
    found = {}
    for script in site.glob("data/replay-*.js"):
        _, _, call = script.read_text(encoding="utf-8").partition("papayoo(")
        data = json.loads(call.removesuffix(")\n"))
        for number, match in data["matches"].items():
            found[int(number)] = {**match, "names": [data["bots"][bot]["name"] for bot in match["bots"]]}
    return dict(sorted(found.items()))


def shows_cards(match: dict[str, Any]) -> bool:
    """Whether the data of a match have its cards; else they are the points of its rounds."""
    return all(isinstance(round_, str) for round_ in match["rounds"])


def read_rounds(page: Element) -> list[ReadRound]:
    """The rounds of a match page."""
    return [_read_round(section) for section in page.all("section", "round")]


def _read_round(section: Element) -> ReadRound:
    sentence = section.all("p")[0].text
    hands = section.one("table", "hands").rows()[1:]
    return ReadRound(
        dealer=int(sentence.split()[1]),
        papayoo=sentence.split()[-3],
        dealt=[_hand([[cell] for cell in cells[1:]]) for cells in hands],
        passed=[_hand([cell.all("s") for cell in cells[1:]]) for cells in hands],
        tricks=[_read_trick(row, len(hands)) for row in section.one("table", "tricks").all("tr")[1:]],
    )


def _hand(suits: list[list[Element]]) -> list[str]:
    """The cards in what holds ranks, by suit."""
    return [
        suit + rank
        for suit, parts in zip("SHDCP", suits, strict=True)
        for part in parts
        for rank in part.text.split()
    ]


def _read_trick(row: Element, players: int) -> ReadTrick:
    cells = [cell for cell in row.children if isinstance(cell, Element) and cell.tag == "td"]
    cards, numbers = cells[1 : players + 1], [int(cell.text) for cell in (cells[0], *cells[players + 1 :])]
    leader, taker, points, so_far = numbers
    assert [seat for seat, cell in enumerate(cards) if "t" in cell.classes] == [taker]
    led = row.classes or ["p"]
    for cell in cards:  # the style sheet colours a card by its class or else that of its row
        assert ([name for name in cell.classes if name != "t"] or led) == [cell.text[0].lower()]
    return ReadTrick(leader, [cell.text.rstrip("*") for cell in cards], taker, points, so_far)


def replay(read: ReadRound) -> list[int]:
    """Check every trick of the round; the points by seat."""
    players = len(read.dealt)
    for seat in range(players):
        assert set(read.passed[seat]) <= set(read.dealt[seat])
    hands = [
        (set(read.dealt[seat]) - set(read.passed[seat])) | set(read.passed[seat - 1])
        for seat in range(players)
    ]
    points, leader = [0] * players, read.dealer
    for trick in read.tricks:
        assert trick.leader == leader
        leader = _taker(trick, hands)
        assert trick.taker == leader
        assert trick.points == sum(_worth(card, read.papayoo) for card in trick.cards)
        points[leader] += trick.points
        assert trick.so_far == points[leader]
    assert not any(hands), "cards are left"
    return points


def _taker(trick: ReadTrick, hands: list[set[str]]) -> int:
    led = trick.cards[trick.leader][0]
    for hand, card in zip(hands, trick.cards, strict=True):
        assert card in hand
        follows = any(other[0] == led for other in hand)
        assert card[0] == led or not follows
        hand.remove(card)
    return max(
        (seat for seat, card in enumerate(trick.cards) if card[0] == led),
        key=lambda seat: int(trick.cards[seat][1:]),
    )


def _worth(card: str, papayoo: str) -> int:
    return 40 if card == papayoo else int(card[1:]) if card[0] == "P" else 0
