"""The helper of the Python bots: its codec against the protocol's own, and what it knows of the game."""

from __future__ import annotations

import importlib.util
import json
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from importlib.resources import files
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import protocol
from arena.papayoo import CARD_NAMES, CARD_POINTS, PLAIN_SUITS, SUITS
from protocol.packing import MAX_INT
from tests.bots.programs import BOTS


def _helper() -> ModuleType:
    spec = importlib.util.spec_from_file_location("papayoo_bot", BOTS / "python/duck/papayoo_bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


helper = _helper()


def _vectors(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((files(protocol) / "vectors" / name).read_text(encoding="utf-8"))
    return cases


values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=8), inner, max_size=17),
    max_leaves=8,
)
messages = st.dictionaries(st.text(max_size=8), values, max_size=4)


def test_every_python_bot_has_the_same_helper() -> None:
    copies = {path.read_bytes() for path in (BOTS / "python").glob("*/papayoo_bot.py")}
    assert len(copies) == 1


@pytest.mark.parametrize("case", _vectors("messages.json"), ids=lambda case: case["name"])
def test_vectors_of_messages(case: dict[str, Any]) -> None:
    line = case["line"].encode() + b"\n"
    assert helper.decode(line) == case["message"]
    assert helper.encode(case["message"]) == line


@pytest.mark.parametrize("case", _vectors("answers.json"), ids=lambda case: case["name"])
def test_reads_every_legal_encoding(case: dict[str, Any]) -> None:
    line = case["line"].encode() if "line" in case else bytes.fromhex(case["line_hex"])
    assert helper.decode(line) == protocol.decode(line)


@pytest.mark.slow
@given(messages)
def test_writes_and_reads_as_the_referee_does(message: Mapping[str, object]) -> None:
    line = protocol.encode(message)
    assert helper.encode(message) == line
    assert helper.decode(line) == message


@given(messages, st.integers(min_value=0))
def test_refuses_a_message_cut_short(message: Mapping[str, object], cut: int) -> None:
    data = a2b_base64(protocol.encode(message))
    with pytest.raises(ValueError, match=r"message|utf-8"):
        helper.decode(b2a_base64(data[: cut % len(data)]))


@pytest.mark.parametrize("data", [b"\xca\0\0\0\0", b"\xc4\0", b"\x91\xc1", b"\x80\x80", b"\x90"])
def test_refuses_what_is_no_message(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"protocol|exactly one msgpack map"):
        helper.decode(b2a_base64(data))


def test_encodes_only_what_a_message_holds() -> None:
    with pytest.raises(TypeError, match="not float"):
        helper.encode({"card": 5.0})


def test_cards_and_points_are_those_of_the_rules() -> None:
    assert tuple(helper.ALL_CARDS) == tuple(CARD_NAMES)
    for suit in PLAIN_SUITS:
        points = [helper.points(card, SUITS[suit]) for card in helper.ALL_CARDS]
        assert points == list(CARD_POINTS[suit])


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("S3", "S3"), ("S3 S9 S4", "S9"), ("S3 P20 H10", "S3"), ("P1 S10 P2 P12 P7", "P12"), ("C9 C10", "C10")],
)
def test_winner_of_a_trick(trick: str, winner: str) -> None:
    assert helper.winner(trick.split()) == winner


def _played(seat: int, card: str) -> dict[str, object]:
    return {"event": "played", "seat": seat, "card": card}


def _question(number: int, *events: dict[str, object], players: int = 4) -> dict[str, object]:
    return {"table": 0, "round": number, "scores": [0] * players, "events": list(events)}


def test_memory_learns_cards_and_voids_across_questions() -> None:
    memory = helper.Memory()
    die = {"event": "die", "seat": 0, "card": "D7"}
    memory.watch(_question(0, die, _played(0, "S3"), _played(1, "S9")))
    assert memory.voids == [set(), set(), set(), set()]
    taken = {"event": "taken", "seat": 1, "cards": ["S3", "S9", "P1", "S2"]}
    memory.watch(_question(0, _played(2, "P1"), _played(3, "S2"), taken, _played(1, "H4"), _played(2, "H5")))
    assert memory.seen == {"S3", "S9", "P1", "S2", "H4", "H5"}
    assert memory.voids == [set(), set(), {"S"}, set()]


def test_memory_begins_anew_with_a_round() -> None:
    memory = helper.Memory()
    memory.watch(_question(0, _played(0, "S3"), _played(1, "P9")))
    memory.watch(_question(1, _played(1, "P2")))
    assert memory.seen == {"P2"}
    assert memory.voids == [set(), set(), set(), set()]


def test_memory_begins_anew_with_a_match_at_the_same_table() -> None:
    memory = helper.Memory()
    die = {"event": "die", "seat": 0, "card": "D7"}
    memory.watch(_question(0, die, _played(0, "S3"), _played(1, "P9"), players=3))
    memory.watch(_question(0, die, _played(1, "P2"), players=8))
    assert memory.seen == {"P2"}
    assert memory.voids == [set() for _ in range(8)]


@pytest.mark.parametrize(("players", "lowest"), [(6, 1), (7, 2), (8, 2)])
def test_memory_knows_which_cards_are_unseen(players: int, lowest: int) -> None:
    memory = helper.Memory()
    memory.watch(_question(0, _played(0, "S3"), players=players))
    unseen = memory.unseen(["S5", "P1", "P20"])
    assert unseen["S"] == [rank for rank in range(lowest, 11) if rank not in (3, 5)]
    assert unseen["H"] == list(range(lowest, 11))
    assert unseen["P"] == list(range(2, 20))
