"""Reads the rounds of a match page back and plays them by the rules as a reader would know them.

A second account of the rules on purpose: what a page shows must hold without the arena's own engine.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.reports.parsed import Element


@dataclass(frozen=True, slots=True)
class ReadRound:
    """What the page says of a round; cards by name, lists by seat."""

    dealer: int
    papayoo: str
    dealt: list[list[str]]
    passed: list[list[str]]
    received: list[list[str]]
    tricks: list[ReadTrick]


@dataclass(frozen=True, slots=True)
class ReadTrick:
    """A row of the table of tricks."""

    leader: int
    cards: list[str]
    taker: int
    points: int
    running: list[int]


def read_rounds(page: Element) -> list[ReadRound]:
    """The rounds of a match page."""
    return [_read_round(section) for section in page.all("section", "round")]


def _read_round(section: Element) -> ReadRound:
    sentence = section.all("p")[0].text
    hands = [
        cells for cells in section.one("table", "hands").rows() if cells[0].tag == "th" and len(cells) == 4
    ][1:]
    rows = [
        cells for cells in section.one("table", "tricks").rows() if len(cells) > 4 and cells[1].tag == "td"
    ]
    players = len(hands)
    return ReadRound(
        dealer=int(sentence.split()[1]),
        papayoo=sentence.split()[-3],
        dealt=[cells[1].text.split() for cells in hands],
        passed=[cells[2].text.rstrip("*").split() for cells in hands],
        received=[cells[3].text.split() for cells in hands],
        tricks=[_read_trick(cells, players) for cells in rows],
    )


def _read_trick(cells: list[Element], players: int) -> ReadTrick:
    cards, rest = cells[2 : 2 + players], cells[2 + players :]
    taker = int(rest[0].text)
    assert [seat for seat, cell in enumerate(cards) if "t" in cell.classes] == [taker]
    return ReadTrick(
        leader=int(cells[1].text),
        cards=[cell.text.rstrip("*") for cell in cards],
        taker=taker,
        points=int(rest[1].text),
        running=[int(cell.text) for cell in rest[2:]],
    )


def replay(read: ReadRound) -> list[int]:
    """Check every trick of the round; the points by seat."""
    players = len(read.dealt)
    for seat in range(players):
        assert read.received[(seat + 1) % players] == read.passed[seat]
        assert set(read.passed[seat]) <= set(read.dealt[seat])
    hands = [
        (set(dealt) - set(passed)) | set(received)
        for dealt, passed, received in zip(read.dealt, read.passed, read.received, strict=True)
    ]
    points, leader = [0] * players, read.dealer
    for trick in read.tricks:
        assert trick.leader == leader
        leader = _taker(trick, hands)
        assert trick.taker == leader
        assert trick.points == sum(_worth(card, read.papayoo) for card in trick.cards)
        points[leader] += trick.points
        assert trick.running == points
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
