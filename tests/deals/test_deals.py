"""Deals: compared with the vectors and with a second, plain implementation made from their description.

`python tests/deals/test_deals.py` writes arena/vectors/deals.json anew, from the second implementation alone,
which uses nothing of the arena.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals import (
    Deals,
    MatchKey,
    PhaseDeals,
    check_printable,
    commitment,
    phase_key,
    pick,
    seeded_secret,
)
from arena.papayoo import card_name, names_of, parse_card

Row = dict[str, Any]

# --- the second implementation -----------------------------------------------------------------

ALL_NAMES = [f"{suit}{rank}" for suit in "SHDC" for rank in range(1, 11)] + [
    f"P{rank}" for rank in range(1, 21)
]


def h(key: bytes, *parts: object) -> bytes:
    text = "|".join(["papayoo-2", *map(str, parts)])
    return hmac.new(key, text.encode("ascii"), hashlib.sha256).digest()


def plain_secret(seed: str, phase: int) -> bytes:
    return hashlib.sha256(("papayoo-1|seed|" + seed + "|" + str(phase)).encode("ascii")).digest()


def plain_board(session_key: bytes, round_number: int, players: int) -> tuple[list[list[str]], str]:
    names = [name for name in ALL_NAMES if players <= 6 or name not in ("S1", "H1", "D1", "C1")]
    names.sort(key=lambda name: h(session_key, "card", round_number, name))
    size = len(names) // players
    hands = [sorted(names[p * size : p * size + size], key=ALL_NAMES.index) for p in range(players)]
    return hands, "SSHHDDCC"[h(session_key, "die", round_number)[0] % 8]


def plain_suits(session_key: bytes, order: int) -> str:
    return "".join(sorted("SHDC", key=lambda letter: h(session_key, "suit", order, letter)))


def plain_pick(number: int, choices: list[str], count: int) -> list[str]:
    left, chosen = list(choices), list[str]()
    while len(chosen) < count:
        place = number % len(left)
        number //= len(left)
        chosen.append(left[place])
        del left[place]
    return chosen


# --- the vectors -------------------------------------------------------------------------------

SEEDS = [("paper", 0), ("paper", 1), ("Spring 2025, table #4 ~", 0)]
PUBLIC_DRAWS = [None, "lotto 3 14 15 26 35 42"]
SESSIONS = [(0, 0), (1, 11), (11, 1), (12, 105)]
SESSION_BOARDS = [(0, 3), (1, 4), (3, 7), (11, 8)]
PICKS = [
    ("S3 H9 P1", 1, 0),
    ("S3 H9 P1", 1, 5),
    ("S3 H9 P1", 3, 2**64 - 1),
    (" ".join(ALL_NAMES[5:25]), 5, 123456789),
]


def reference_document() -> Row:
    key = plain_secret("paper", 0)
    return {
        "key": key.hex(),
        "secrets": [reference_secret(seed, phase) for seed, phase in SEEDS],
        "keys": [reference_key(key, draw) for draw in PUBLIC_DRAWS],
        "sessions": [reference_session(key, *session) for session in SESSIONS],
        "picks": [reference_pick(text, count, number) for text, count, number in PICKS],
    }


def reference_secret(seed: str, phase: int) -> Row:
    secret = plain_secret(seed, phase)
    committed = hashlib.sha256(secret).hexdigest()
    return {"seed": seed, "phase": phase, "secret": secret.hex(), "commitment": committed}


def reference_key(secret: bytes, draw: str | None) -> Row:
    key = secret
    if draw is not None:
        key = hmac.new(secret, f"papayoo-1|public|{draw}".encode("ascii"), hashlib.sha256).digest()
    return {"secret": secret.hex(), "public_draw": draw, "key": key.hex()}


def reference_session(key: bytes, cycle: int, index: int) -> Row:
    own = h(key, "session", cycle, index)
    boards = []
    for round_number, players in SESSION_BOARDS:
        hands, suit = plain_board(own, round_number, players)
        board: Row = {"round": round_number, "players": players, "hands": [" ".join(hand) for hand in hands]}
        boards.append(board | {"papayoo_suit": suit})
    matches: list[Row] = [
        {
            "order": order,
            "suits": plain_suits(own, order),
            "bot_seeds": [int.from_bytes(h(own, "bot", order, seat)[:4], "big") for seat in range(4)],
            "standins": [
                {"round": r, "seat": s, "question": q}
                | {"number": str(int(h(own, "standin", order, r, s, q)[:8].hex(), 16))}
                for r, s, q in [(0, 0, 0), (3, 1, 15)]
            ],
        }
        for order in (0, 5)
    ]
    place: Row = {"cycle": cycle, "index": index, "key": own.hex()}
    return place | {"boards": boards, "matches": matches}


def reference_pick(text: str, count: int, number: int) -> Row:
    picked = plain_pick(number, text.split(), count)
    return {"choices": text, "count": count, "number": str(number), "picked": " ".join(picked)}


FILE = Path(__file__).parents[2] / "arena/vectors/deals.json"
VECTORS: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
KEY = bytes.fromhex(VECTORS["key"])


def test_vectors_are_those_of_the_second_implementation() -> None:
    assert reference_document() == VECTORS


@pytest.mark.parametrize("row", VECTORS["secrets"])
def test_secrets_of_a_seed(row: Row) -> None:
    secret = seeded_secret(row["seed"], int(row["phase"]))
    assert secret.hex() == row["secret"]
    assert commitment(secret) == row["commitment"]


@pytest.mark.parametrize("row", VECTORS["keys"])
def test_keys(row: Row) -> None:
    assert phase_key(bytes.fromhex(row["secret"]), row["public_draw"]).hex() == row["key"]


@pytest.mark.parametrize("row", VECTORS["sessions"])
def test_what_a_session_draws(row: Row) -> None:
    deals = PhaseDeals(KEY).session(row["cycle"], row["index"])
    assert deals == Deals(bytes.fromhex(row["key"]))
    for board in row["boards"]:
        found = deals.board(board["round"], board["players"])
        assert [" ".join(names_of(hand)) for hand in found.hands] == board["hands"]
        assert "SHDC"[found.papayoo_suit] == board["papayoo_suit"]
    for played in row["matches"]:
        for attempt in (0, 1, 7):
            match = MatchKey(row["cycle"], row["index"], played["order"], attempt)
            assert deals.suits(match) == played["suits"]
            assert [deals.bot_seed(match, seat) for seat in range(4)] == played["bot_seeds"]
            for drawn in played["standins"]:
                number = deals.standin(match, drawn["round"], drawn["seat"], drawn["question"])
                assert str(number) == drawn["number"]


@pytest.mark.parametrize("row", VECTORS["picks"])
def test_picks(row: Row) -> None:
    choices = [parse_card(name) for name in row["choices"].split()]
    picked = pick(int(row["number"]), choices, int(row["count"]))
    assert " ".join(map(card_name, picked)) == row["picked"]


# --- properties --------------------------------------------------------------------------------

counts = st.integers(0, 10_000)


@given(st.binary(min_size=32, max_size=32), counts, st.integers(3, 8))
def test_any_board_is_the_plain_one(key: bytes, round_number: int, players: int) -> None:
    board = Deals(key).board(round_number, players)
    hands, suit = plain_board(key, round_number, players)
    assert [names_of(hand) for hand in board.hands] == hands
    assert "SHDC"[board.papayoo_suit] == suit


@given(st.binary(min_size=32, max_size=32), counts, counts, st.integers(0, 5), st.integers(0, 2))
def test_suits_are_a_permutation(key: bytes, cycle: int, index: int, order: int, attempt: int) -> None:
    suits = Deals(key).suits(MatchKey(cycle, index, order, attempt))
    assert sorted(suits) == sorted("SHDC")
    assert suits == plain_suits(key, order)


def test_suits_and_dice_are_about_uniform() -> None:
    phase = PhaseDeals(bytes(range(32)))
    sessions = [phase.session(0, index) for index in range(2400)]
    permutations = Counter(deals.suits(MatchKey(0, index, 0)) for index, deals in enumerate(sessions))
    chi_square = sum((count - 100) ** 2 / 100 for count in permutations.values())
    assert len(permutations) == factorial(4)
    assert chi_square < 49.7  # the 0.1 % point of chi-square with 23 degrees of freedom
    dice = Counter(deals.board(0, 4).papayoo_suit for deals in sessions[:400])
    assert sum((dice[suit] - 100) ** 2 / 100 for suit in range(4)) < 16.3  # 3 degrees of freedom


@given(st.integers(0, 2**64 - 1), st.sets(st.integers(0, 59), min_size=1), st.data())
def test_picked_cards_are_different_choices(number: int, cards: set[int], data: st.DataObject) -> None:
    choices = sorted(cards)
    count = data.draw(st.integers(1, len(choices)))
    picked = pick(number, choices, count)
    assert len(set(picked)) == count
    assert set(picked) <= cards
    assert choices == sorted(cards)


@pytest.mark.parametrize(("number", "count"), [(0, 4), (0, -1), (-1, 1)])
def test_impossible_picks_are_refused(number: int, count: int) -> None:
    with pytest.raises(ValueError, match="cannot pick"):
        pick(number, [1, 2, 3], count)


@pytest.mark.parametrize("text", ["a|b", "", "tab\there", "ä", "line\n", "\x7f"])
def test_unprintable_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected printable ASCII"):
        check_printable(text)
    with pytest.raises(ValueError, match="expected printable ASCII"):
        seeded_secret(text, 0)
    with pytest.raises(ValueError, match="expected printable ASCII"):
        phase_key(bytes(32), text)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_secrets_of_another_length_are_refused(length: int) -> None:
    with pytest.raises(ValueError, match="expected 32"):
        commitment(bytes(length))
    with pytest.raises(ValueError, match="expected 32"):
        phase_key(bytes(length))


def test_a_key_is_not_shown() -> None:
    key = bytes(range(32))
    for deals in (Deals(key), PhaseDeals(key)):
        assert key.hex() not in repr(deals)
        assert repr(key) not in repr(deals)


@given(st.binary(min_size=1, max_size=200), st.integers(0, 10**6), st.integers(0, 7))
def test_a_key_of_any_length_is_hashed_as_the_standard_has_it(key: bytes, number: int, seat: int) -> None:
    digest = h(key, "bot", number, seat)
    assert Deals(key).bot_seed(MatchKey(0, 0, number), seat) == int.from_bytes(digest[:4], "big")


if __name__ == "__main__":
    FILE.write_text(json.dumps(reference_document(), indent=1) + "\n", "utf-8")
