"""What a browser accepts, and how gladly."""

from __future__ import annotations

import pytest

from arena.people.headers import preferred, weights


def test_weights() -> None:
    assert weights("gzip, BR;q=0.5, *;q=0, x;q=y, z;p=1,,") == {
        "gzip": 1.0,
        "br": 0.5,
        "*": 0.0,
        "x": 0.0,
        "z": 0.0,
    }
    assert weights("") == {}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("de, en;q=0.7, fr;q=0.3", "en"),
        ("de", "en"),
        ("en;q=0.2, fr-CA;q=0.4", "fr"),
        ("fr;q=0, en;q=0.1", "en"),
        ("*", "en"),
        ("\x00;;q==,", "en"),
    ],
)
def test_the_language_that_is_preferred(header: str, language: str) -> None:
    assert preferred(header, ("en", "fr")) == language
