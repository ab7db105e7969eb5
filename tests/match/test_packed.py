"""What the referee packs itself is msgpack, byte for byte, and reads back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.packed import PackedMessage, pack, pack_pairs
from protocol import packing
from tests.examples import examples

numbers = st.integers(0, 2**53 - 1) | st.sampled_from([127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32])
texts = st.text(max_size=40) | st.sampled_from(["x" * 31, "x" * 32, "x" * 255, "x" * 256])
values = st.recursive(
    numbers | texts,
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(texts, inner, max_size=20),
    max_leaves=40,
)


@examples(50)
@given(values)
def test_packing_is_msgpack(value: object) -> None:
    assert pack(value) == packing.pack(value)


@pytest.mark.parametrize("wrong", [True, None, 1.5, b"bytes", -1])
def test_what_no_message_has_is_refused(wrong: object) -> None:
    with pytest.raises((TypeError, OverflowError)):
        pack(wrong)


@examples(50)
@given(st.dictionaries(texts.filter(lambda key: key not in ("type", "id", "table")), values, max_size=12))
def test_a_message_reads_like_the_map_it_is(rest: dict[str, object]) -> None:
    head = pack_pairs({"type": "play"})
    plain = {"type": "play", "id": "", "table": 0, **rest}
    message = PackedMessage(bytes([0x80 + len(plain)]) + head, "", [pack_pairs(rest)])
    assert message == plain
    assert list(message) == list(plain)
    assert message.packed == packing.pack(plain)


@given(st.integers(0, 10**6), st.text("0123456789abcdef", min_size=1, max_size=31))
def test_an_addressed_message_has_its_table_and_id(table: int, question_id: str) -> None:
    message = PackedMessage(b"\x83" + pack_pairs({"type": "pass"}), "", [])
    assert message["table"] == 0
    message.address(table, question_id)
    plain = {"type": "pass", "id": question_id, "table": table}
    assert (message, message.packed) == (plain, packing.pack(plain))
    assert repr(message) == repr(plain)
