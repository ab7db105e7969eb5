"""Question ids: as the module says, whatever is derived at a time, and fit for the wire."""

from __future__ import annotations

from hashlib import shake_128

from hypothesis import given
from hypothesis import strategies as st

from arena.question_ids import ID_DIGITS, new_key, question_ids
from protocol.messages import MAX_ID

KEYS = st.binary(min_size=16, max_size=16).map(bytes.hex)


@given(KEYS, st.integers(1, 30), st.integers(1, 30))
def test_ids_do_not_depend_on_how_many_are_derived_at_a_time(key: str, one: int, other: int) -> None:
    ids, same = question_ids(key, one), question_ids(key, other)
    given_out = [next(ids) for _ in range(70)]
    assert given_out == [next(same) for _ in range(70)]
    assert len(set(given_out)) == 70
    assert all(
        len(each) == ID_DIGITS <= MAX_ID and set(each) <= set("0123456789abcdef") for each in given_out
    )


@given(KEYS)
def test_the_nth_id_is_the_nth_piece_of_the_hash(key: str) -> None:
    digits = shake_128(bytes.fromhex(key)).hexdigest(60)
    ids = question_ids(key, 4)
    assert "".join(next(ids) for _ in range(10)) == digits


def test_keys_are_fresh_and_have_128_bits() -> None:
    keys = {new_key() for _ in range(50)}
    assert len(keys) == 50
    assert all(len(bytes.fromhex(key)) == 16 for key in keys)
