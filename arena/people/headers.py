"""Reads the header in which a browser says what it accepts, and how gladly. Knows nothing else of HTTP."""

from __future__ import annotations

__all__ = ["weights"]


def weights(header: str) -> dict[str, float]:
    """Return what is accepted, in lower case, by its weight: "gzip, br;q=0.5" is {"gzip": 1.0, "br": 0.5}."""
    found = {}
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip():
            found[name.strip()] = _weight(weight)
    return found


def _weight(text: str) -> float:
    """Return the weight that "q=0.5" gives: 1 where nothing is said, 0 where it cannot be understood."""
    name, _, value = text.partition("=")
    if not text.strip():
        return 1.0
    try:
        return float(value) if name.strip() == "q" else 0.0
    except ValueError:
        return 0.0
