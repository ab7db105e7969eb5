"""What a browser accepts, and how gladly."""

from __future__ import annotations

from arena.people.headers import weights


def test_weights() -> None:
    assert weights("gzip, BR;q=0.5, *;q=0, x;q=y, z;p=1,,") == {
        "gzip": 1.0,
        "br": 0.5,
        "*": 0.0,
        "x": 0.0,
        "z": 0.0,
    }
    assert weights("") == {}
