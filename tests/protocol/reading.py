"""What the tests of the protocol read: the vectors that are shipped with it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def vectors(name: str) -> list[dict[str, Any]]:
    """The cases of one file."""
    cases: list[dict[str, Any]] = json.loads(files("protocol").joinpath("vectors", name).read_text("utf-8"))
    return cases


def line_of(case: dict[str, Any]) -> bytes:
    """The line of a case, without its newline unless the case is about it."""
    return case["line"].encode("ascii") if "line" in case else bytes.fromhex(case["line_hex"])
