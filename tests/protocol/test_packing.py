"""Packing: shortest forms, and what does not belong on the wire."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.packing import MAX_INT, pack, unpack
from protocol.refusal import BadMessage, Refusal


@pytest.mark.parametrize(
    ("value", "head", "size"),
    [
        (None, "c0", 1), (False, "c2", 1), (True, "c3", 1),
        (0, "00", 1), (127, "7f", 1), (128, "cc80", 2), (255, "ccff", 2), (256, "cd0100", 3),
        (65535, "cdffff", 3), (65536, "ce00010000", 5), (2**32 - 1, "ceffffffff", 5),
        (2**32, "cf0000000100000000", 9), (MAX_INT, "cf001fffffffffffff", 9),
        (-1, "ff", 1), (-32, "e0", 1), (-33, "d0df", 2), (-128, "d080", 2), (-129, "d1ff7f", 3),
        (-32769, "d2ffff7fff", 5), (-(2**31) - 1, "d3ffffffff7fffffff", 9),
        ("", "a0", 1), ("x" * 31, "bf78", 32), ("x" * 32, "d920", 34), ("x" * 256, "da0100", 259),
        ([], "90", 1), ([0] * 15, "9f00", 16), ([0] * 16, "dc0010", 19),
        ({}, "80", 1), ({str(n): 0 for n in range(16)}, "de0010a130", 57),
    ],
)  # fmt: skip
def test_every_value_takes_its_shortest_form(value: object, head: str, size: int) -> None:
    packed = pack(value)
    assert packed.hex().startswith(head)
    assert len(packed) == size
    assert unpack(packed) == value


@given(st.integers())
def test_integers_pass_exactly_within_the_limits(number: int) -> None:
    if not -(2**63) <= number < 2**64:
        with pytest.raises(OverflowError):
            pack(number)
    elif abs(number) <= MAX_INT:
        assert unpack(pack(number)) == number
    else:
        with pytest.raises(BadMessage) as caught:
            unpack(pack(number))
        assert caught.value.reason is Refusal.INT_TOO_LARGE


@pytest.mark.parametrize("value", [object(), {1, 2}, (1, 2)])
def test_other_python_values_are_refused(value: object) -> None:
    with pytest.raises(TypeError):
        pack(value)


def test_a_failed_pack_leaves_nothing_behind() -> None:
    with pytest.raises(TypeError):
        pack({"a": "x" * 100, "b": object()})
    assert pack(1) == b"\x01"
