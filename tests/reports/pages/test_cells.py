"""The cells of cards, as markup: what is in them, word for word."""

from __future__ import annotations

import pytest

from reports.pages.cells import card, card_name, hand_rows, others_cells, told, trick_rows
from reports.pages.rounds import CardFace, HandRow, OtherRow, Part, TrickRow
from reports.selection import MatchLink


def faces(*names: str) -> tuple[CardFace, ...]:
    return tuple(CardFace(name, papayoo=name == "H7") for name in names)


def test_a_hand_has_a_cell_a_suit_and_neighbours_that_are_passed_share_a_mark() -> None:
    dealt = faces("S1", "S2", "S9", "H6", "H7", "C3", "P20")
    passed = faces("S1", "S2", "H7", "P20")
    cells = "<td><s>1 2</s> 9<td>6 <s><b>7</b></s><td></td><td>3<td><s>20</s>"
    rows = [HandRow(0, "Duck", dealt, passed, False), HandRow(1, "<b>\u202e", dealt, passed, True)]
    assert hand_rows(rows) == (
        f"<tr><th>0 <bdi>Duck</bdi>{cells}\n<tr><th>1 <bdi>&lt;b&gt;\\u202e</bdi>*{cells}"
    )


def test_a_trick_is_of_the_suit_that_was_led() -> None:
    cards = (CardFace("S5"), CardFace("H7", papayoo=True), CardFace("S9", stand_in=True))
    row = TrickRow(3, 0, cards, taker=2, points=40, running=(0, 0, 52))
    assert trick_rows([row], "r1") == (
        "<tr id=r1t3 class=s><th>3<td>0<td>S5<td class=h><b>H7</b><td class=t>S9*<td>2<td>40<td>52"
    )
    payoos = TrickRow(0, 1, faces("P1", "P2", "C4"), taker=1, points=3, running=(0, 3, 0))
    assert trick_rows([payoos], "r0") == "<tr><th>0<td>1<td>P1<td class=t>P2<td class=c>C4<td>1<td>3<td>3"


def test_others_are_above_below_or_level() -> None:
    row = OtherRow(MatchLink(2, None), ("a", "b", "c"), (40, 0, 7), (12, -250, 0))
    assert others_cells(row) == "<td>40 <b>+12</b><td>0 <i>−250</i><td>7 ±0"


def test_a_card_has_the_class_of_its_suit_and_the_papayoo_is_bold() -> None:
    seven, twenty = faces("H7", "P20")
    assert (card(seven), card_name(seven)) == ("<i class=h><b>H7</b></i>", "<b>H7</b>")
    assert (card(twenty), card_name(twenty)) == ("<i class=p>P20</i>", "P20")


@pytest.mark.parametrize("name", ["", "S11", "P21", "<b>S7", "S7<script>", "X1"])
def test_what_is_no_card_never_gets_here(name: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        CardFace(name)


def test_cards_stand_apart_from_the_text_of_a_sentence() -> None:
    (seven,) = faces("H7")
    assert (
        told((Part("<b>\u202e & "), Part("H7", card=seven)))
        == "&lt;b&gt;\\u202e &amp; <i class=h><b>H7</b></i>"
    )
