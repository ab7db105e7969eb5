"""Cards of equal effect: an adversary that holds what lies between them tells them apart, nobody else."""

from __future__ import annotations

import pytest

from arena.papayoo import mask_of, names_of, parse_card
from arena.strategy import alike

HEARTS = 1


def cards(names: str) -> int:
    return mask_of(map(parse_card, names.split()))


@pytest.mark.parametrize(
    ("legal", "between", "groups"),
    [
        ("S2 S3 S4", "H1", ["S2 S3 S4"]),
        ("S2 S4", "", ["S2 S4"]),  # S3 has been played
        ("S2 S4", "S3", ["S2", "S4"]),
        ("S2 S3 S5 S6 S9", "S4 S10", ["S2 S3", "S5 S6 S9"]),
        ("S10 H1", "", ["S10", "H1"]),  # neighbours, but of two suits
        ("P3 P4", "", ["P3", "P4"]),  # they score
        ("H6 H7 H8", "", ["H6", "H7", "H8"]),  # the Papayoo scores, and parts the others
        ("D6 D7 D8", "", ["D6 D7 D8"]),  # this 7 does not
    ],
)
def test_plain_cards_without_another_between_them_are_alike(
    legal: str, between: str, groups: list[str]
) -> None:
    found = alike(cards(legal), cards(between), HEARTS)
    assert [" ".join(names_of(group)) for group in found] == groups
