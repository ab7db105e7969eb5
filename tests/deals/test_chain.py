"""The chain of secrets: every link follows from the next, and none from those before."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals import CHAIN_LENGTH, chained_secret, commitment

END = bytes(range(32))
LAST = CHAIN_LENGTH - 1


@given(st.integers(LAST - 50, LAST - 1), st.binary(min_size=32, max_size=32))
def test_a_commitment_is_the_secret_of_the_phase_before(phase: int, end: bytes) -> None:
    assert commitment(chained_secret(end, phase + 1)) == chained_secret(end, phase).hex()


def test_the_last_secret_is_the_end_and_the_first_is_as_far_away_as_it_can_be() -> None:
    assert chained_secret(END, LAST) == END
    link = END
    for _ in range(9_999):
        link = hashlib.sha256(link).digest()
    assert chained_secret(END, 0) == link


@pytest.mark.parametrize("phase", [-1, CHAIN_LENGTH])
def test_there_is_no_link_beyond_the_chain(phase: int) -> None:
    with pytest.raises(ValueError, match="links for 10,000 phases"):
        chained_secret(END, phase)
