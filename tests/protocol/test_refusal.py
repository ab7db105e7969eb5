"""How refused bytes are shown."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import decode
from protocol.packing import pack
from protocol.refusal import BadMessage, Refusal, guess, printable


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"plain text", "plain text"),
        ("tête 鴨".encode(), "tête 鴨"),
        (b"a\nb\r\tc\x00\x1b[31m\x7f", "a\\nb\\r\\tc\\x00\\x1b[31m\\x7f"),
        (b"back\\slash", "back\\\\slash"),
        (b"\xff\xe9", "\\xff\\xe9"),
        ("a\u202eb\u2028c\ufeff".encode(), "a\\u202eb\\u2028c\\ufeff"),
        ("\U000e0001".encode(), "\\U000e0001"),
        (b"x" * 80, "x" * 80),
        (b"x" * 81, "x" * 80 + "…"),
    ],
)
def test_bytes_are_shown_as_safe_text(data: bytes, text: str) -> None:
    assert printable(data) == text


@given(st.binary(max_size=120), st.integers(1, 100))
def test_what_is_shown_is_always_printable_and_short(data: bytes, limit: int) -> None:
    shown = printable(data, limit)
    assert shown.isprintable()
    assert len(shown) <= 4 * limit + 1
    assert shown.endswith("…") or len(data) <= limit


def test_a_refusal_reads_as_a_sentence() -> None:
    assert str(BadMessage(Refusal.EMPTY_LINE)) == Refusal.EMPTY_LINE.sentence
    assert str(BadMessage(Refusal.NOT_A_CARD, "So.")) == f"{Refusal.NOT_A_CARD.sentence} So."
    for refusal in Refusal:
        assert refusal.sentence.endswith(".")
        assert refusal.sentence.isprintable()


JSON = b'{"type": "card", "id": "q1", "card": "H7"}'


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"  " + JSON, "looks like JSON;"),
        (b64encode(JSON), "looks like base64 of JSON"),
        (pack({"type": "card", "id": "q1", "card": "H7"}), "looks like msgpack without base64"),
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
