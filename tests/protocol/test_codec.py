"""The codec against its vectors, against itself, and against arbitrary bytes."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.codec import MAX_LINE, BadMessage, Refusal, decode, encode
from protocol.packing import MAX_INT, pack, unpack
from tests.protocol.reading import line_of, vectors


def named(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in vectors(name)])


def ordered(value: object) -> str:
    """A text in which key order and exact types show."""
    return json.dumps(value)


@named("messages.json")
def test_a_message_encodes_to_its_line(case: dict[str, Any]) -> None:
    assert encode(case["message"]) == line_of(case) + b"\n"


@named("messages.json")
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\r"])
def test_a_line_decodes_to_its_message(case: dict[str, Any], end: bytes) -> None:
    assert ordered(decode(line_of(case) + end)) == ordered(case["message"])


@named("values.json")
def test_every_form_of_a_value_is_read_and_the_shortest_is_written(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["hex"])
    assert ordered(unpack(data)) == ordered(case["value"])
    assert (pack(case["value"]) == data) == case["shortest"]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case["name"]) for case in vectors("refused.json") if case["by"] == "decode"],
)
def test_a_bad_line_is_refused_for_its_reason(case: dict[str, Any]) -> None:
    with pytest.raises(BadMessage) as caught:
        decode(line_of(case))
    assert caught.value.reason is Refusal[case["refusal"]]
    assert caught.value.reason.sentence in str(caught.value)
    assert str(caught.value).isprintable()


values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=8,
)
messages = st.dictionaries(st.text(max_size=8), values, max_size=6)


def depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@given(messages.filter(lambda message: depth(message) <= 8))
def test_what_is_encoded_decodes_to_the_same(message: dict[str, Any]) -> None:
    assert ordered(decode(encode(message))) == ordered(message)


def outcome(line: bytes) -> dict[str, Any] | BadMessage:
    """What decoding a line gives; any other exception fails the test."""
    try:
        return decode(line)
    except BadMessage as refusal:
        return refusal


@given(st.binary(max_size=200))
@example(b"\x81\xa1a\xcb")
def test_arbitrary_bytes_raise_nothing_but_bad_message(data: bytes) -> None:
    for line in (data, b64encode(data), b64encode(b"\x81\xa1a" + data)):
        found = outcome(line)
        if isinstance(found, BadMessage):
            assert str(found).isprintable()
        else:
            assert decode(encode(found)) == found


@given(messages.filter(lambda message: depth(message) <= 8), st.data())
def test_a_damaged_message_is_refused_or_still_one(message: dict[str, Any], data: st.DataObject) -> None:
    packed = bytearray(pack(message))
    place = data.draw(st.integers(0, len(packed) - 1))
    packed[place] = data.draw(st.integers(0, 255))
    assert type(outcome(b64encode(packed))) in (dict, BadMessage)


def test_the_longest_line_passes_and_a_longer_one_does_not() -> None:
    longest = encode({"x": "x" * 49143})
    assert len(longest) == MAX_LINE - 3  # base64 comes in fours, then the newline
    assert decode(longest) == {"x": "x" * 49143}
    with pytest.raises(BadMessage) as caught:
        decode(b"A" * (MAX_LINE + 1))
    assert caught.value.reason is Refusal.LINE_TOO_LONG
    with pytest.raises(ValueError, match="at most 65536"):
        encode({"x": "x" * 49150})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"-___", "the URL alphabet"),
        (b"Hello, world", '"," at byte 5'),
        (b"YQ==YQ==", "Text follows the padding"),
        (b"YWJ", "multiple of 4"),
        (b"YWJj====", "too much padding"),
        (b64encode(b"\x81\x05\x01"), "Found the int 5"),
        (b64encode(b"\x82\xa1a\x01\xa1a\x01"), 'Found "a" twice'),
        (b64encode(b"\x81\xa1a\xca\x40\xa0\x00\x00"), "Found the float 5.0"),
        (b64encode(b"\x80\x01"), "1 more: \\x01"),
        (b64encode(b"\xc3"), "Found the bool true"),
        (b64encode(b"\x92\x01\x02"), "Found the array of 2"),
    ],
)
def test_the_detail_names_what_was_found(line: bytes, words: str) -> None:
    with pytest.raises(BadMessage) as caught:
        decode(line)
    assert words in str(caught.value)
