"""What a refused line is guessed to be: the usual first attempts of an author."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import BadMessage, decode, encode
from protocol.guess import guess
from protocol.packing import pack

ANSWER = {"type": "card", "id": "q1", "card": "H7"}
JSON = b'{"type": "card", "id": "q1", "card": "H7"}'


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (JSON, "looks like JSON;"),
        (b"  " + JSON, "looks like JSON;"),
        (b"{", "looks like JSON;"),
        (b64encode(JSON), "looks like base64 of JSON"),
        (pack(ANSWER), "looks like msgpack without base64"),
        (b"Loading the model, please wait", "print that to standard error"),
    ],
)
def test_a_first_attempt_is_named(line: bytes, found: str) -> None:
    with pytest.raises(BadMessage, match=found) as refused:
        decode(line + b"\n")
    assert refused.value.reason.sentence in str(refused.value)


@pytest.mark.parametrize("line", [b"", b"H7", b"=", b"abc", b64encode(b"\xff\xff")])
def test_nothing_is_guessed_where_nothing_is_known(line: bytes) -> None:
    assert guess(line) == ""


@pytest.mark.parametrize("line", [b"A" * 65_000, b" " * 65_000, b"AB " * 20_000, b"[" * 65_000])
def test_only_the_beginning_of_a_line_is_looked_at(line: bytes) -> None:
    assert guess(line) == guess(line[:120])


@given(st.dictionaries(st.text(max_size=5), st.integers(-9, 9) | st.text(max_size=5), max_size=5))
def test_no_message_is_taken_for_anything_else(message: dict[str, int | str]) -> None:
    line = encode(message)
    assert decode(line) == message
    assert guess(line) == ""


@given(st.binary(max_size=40))
def test_every_line_can_be_guessed_at(line: bytes) -> None:
    said = guess(line)
    assert said == "" or said.endswith(".")
