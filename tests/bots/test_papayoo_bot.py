"""The file of Python bots: what it knows of the game, and any message; tests/kits has the vectors."""

from __future__ import annotations

import ast
import sys
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import papayoo_bot
import protocol
from arena.papayoo import CARD_NAMES, CARD_POINTS, PLAIN_SUITS, SUITS
from protocol.packing import MAX_INT

values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=8), inner, max_size=17),
    max_leaves=8,
)
messages = st.dictionaries(st.text(max_size=8), values, max_size=4)


def test_it_needs_no_more_than_python_3_10_and_its_library() -> None:
    assert papayoo_bot.__file__ is not None
    source = Path(papayoo_bot.__file__).read_text(encoding="utf-8")
    imports = [
        node
        for node in ast.walk(ast.parse(source, feature_version=(3, 10)))
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    modules = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imports}
    assert modules - sys.stdlib_module_names <= {"collections.abc"}
    (typing,) = (node for node in imports if isinstance(node, ast.ImportFrom) and node.module == "typing")
    assert {name.name for name in typing.names} == {"Any", "TypedDict"}, "these are in 3.10"


@given(messages)
def test_writes_and_reads_as_the_referee_does(message: Mapping[str, object]) -> None:
    line = protocol.encode(message)
    assert papayoo_bot.encode(message) == line
    assert papayoo_bot.decode(line) == message


@given(messages, st.integers(min_value=0))
def test_refuses_a_message_cut_short(message: Mapping[str, object], cut: int) -> None:
    data = a2b_base64(protocol.encode(message))
    with pytest.raises(ValueError, match=r"message|utf-8|not a line|comes twice"):
        papayoo_bot.decode(b2a_base64(data[: cut % len(data)]))


def test_cards_and_points_are_those_of_the_rules() -> None:
    assert tuple(papayoo_bot.ALL_CARDS) == tuple(CARD_NAMES)
    for suit in PLAIN_SUITS:
        points = [papayoo_bot.points(card, SUITS[suit]) for card in papayoo_bot.ALL_CARDS]
        assert points == list(CARD_POINTS[suit])


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("S3", "S3"), ("S3 S9 S4", "S9"), ("S3 P20 H10", "S3"), ("P1 S10 P2 P12 P7", "P12"), ("C9 C10", "C10")],
)
def test_winner_of_a_trick(trick: str, winner: str) -> None:
    assert papayoo_bot.winner(trick.split()) == winner


def _played(seat: int, card: str) -> dict[str, object]:
    return {"event": "played", "seat": seat, "card": card}


def _question(number: int, *events: dict[str, object], players: int = 4) -> dict[str, object]:
    return {"table": 0, "round": number, "scores": [0] * players, "events": list(events)}


def test_memory_learns_cards_and_voids_across_questions() -> None:
    memory = papayoo_bot.Memory()
    die = {"event": "die", "seat": 0, "card": "D7"}
    memory.watch(_question(0, die, _played(0, "S3"), _played(1, "S9")))
    assert memory.voids == [set(), set(), set(), set()]
    taken = {"event": "taken", "seat": 1, "cards": ["S3", "S9", "P1", "S2"]}
    memory.watch(_question(0, _played(2, "P1"), _played(3, "S2"), taken, _played(1, "H4"), _played(2, "H5")))
    assert memory.seen == {"S3", "S9", "P1", "S2", "H4", "H5"}
    assert memory.voids == [set(), set(), {"S"}, set()]


def test_memory_begins_anew_with_a_round() -> None:
    memory = papayoo_bot.Memory()
    memory.watch(_question(0, _played(0, "S3"), _played(1, "P9")))
    memory.watch(_question(1, _played(1, "P2")))
    assert memory.seen == {"P2"}
    assert memory.voids == [set(), set(), set(), set()]


def test_memory_begins_anew_with_a_match_at_the_same_table() -> None:
    memory = papayoo_bot.Memory()
    die = {"event": "die", "seat": 0, "card": "D7"}
    memory.watch(_question(0, die, _played(0, "S3"), _played(1, "P9"), players=3))
    memory.watch(_question(0, die, _played(1, "P2"), players=8))
    assert memory.seen == {"P2"}
    assert memory.voids == [set() for _ in range(8)]


@pytest.mark.parametrize(("players", "lowest"), [(6, 1), (7, 2), (8, 2)])
def test_memory_knows_which_cards_are_unseen(players: int, lowest: int) -> None:
    memory = papayoo_bot.Memory()
    memory.watch(_question(0, _played(0, "S3"), players=players))
    unseen = memory.unseen(["S5", "P1", "P20"])
    assert unseen["S"] == [rank for rank in range(lowest, 11) if rank not in (3, 5)]
    assert unseen["H"] == list(range(lowest, 11))
    assert unseen["P"] == list(range(2, 20))
