"""Messages as text for people and back; `tests/cli/workshop/test_decode.py` has the texts that are none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import decode, encode
from protocol.readable import Unreadable, line_of_text, readable, refusal_of, text_of_line
from protocol.refusal import BadMessage

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('ab\u202e"', max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
MESSAGES = st.dictionaries(st.text("xyz\x1b", max_size=3), VALUES, max_size=4)


@given(MESSAGES)
def test_the_text_is_one_line_that_shows_everything_and_means_the_same(message: dict[str, object]) -> None:
    text = readable(message)
    assert text.isprintable()
    assert json.loads(text) == message


@given(MESSAGES)
def test_a_line_and_its_text_turn_into_one_another(message: dict[str, object]) -> None:
    try:
        line = encode(message)
        decode(line)
    except BadMessage:
        return  # nested too deep
    assert text_of_line(line) == readable(message)
    assert line_of_text(text_of_line(line)) == line


def test_a_text_that_is_no_message() -> None:
    with pytest.raises(Unreadable, match="not a message: expected a JSON object"):
        line_of_text("[1]")


def test_what_a_referee_would_say_of_an_answer() -> None:
    good, bad = {"type": "card", "id": "q", "card": "S3"}, {"type": "card", "id": "q", "card": "S30"}
    assert refusal_of(good, encode(good)) is None
    assert "not one of the 60 names" in (refusal_of(bad, encode(bad)) or "")
    assert refusal_of({"type": "play"}, encode({"type": "play"})) is None, "not a bot's to say"
