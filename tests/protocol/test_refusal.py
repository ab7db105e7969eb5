"""How refused bytes are shown."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import decode
from protocol.packing import pack
from protocol.refusal import BadMessage, printable


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
