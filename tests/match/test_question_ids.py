"""Question ids: as the module says, and fit for the wire."""

from __future__ import annotations

from hashlib import shake_128

from hypothesis import given
from hypothesis import strategies as st

from arena.match.question_ids import ID_DIGITS, QuestionIds, new_key
from protocol.messages import MAX_ID

KEYS = st.binary(min_size=16, max_size=16).map(bytes.hex)


@given(KEYS)
def test_the_nth_id_is_the_nth_piece_of_the_hash(key: str) -> None:
    """However many are derived at a time."""
    many = 170
    digits = shake_128(bytes.fromhex(key)).hexdigest(many * ID_DIGITS // 2)
    ids = QuestionIds(key)
    given_out = [next(ids) for _ in range(many)]
    assert "".join(given_out) == digits
    assert len(set(given_out)) == many
    assert all(len(each) == ID_DIGITS <= MAX_ID for each in given_out)


def test_keys_are_fresh_and_have_128_bits() -> None:
    keys = {new_key() for _ in range(50)}
    assert len(keys) == 50
    assert all(len(bytes.fromhex(key)) == 16 for key in keys)
