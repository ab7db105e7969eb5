"""The number of examples of a property: few by default, more with `--hypothesis-profile=ci`."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

FEW, MORE, MANY = 10, 25, 100
"""The examples of a property that gives no number: by default, in CI, and when a number is thought of."""


def register_profiles() -> None:
    """Register both profiles, and load the one with few examples.

    No example has a deadline, since a slow example on a busy machine is no mistake of the arena.
    """
    settings.register_profile("few", max_examples=FEW, deadline=None)
    settings.register_profile("ci", max_examples=MORE, deadline=None)
    settings.load_profile("few")


def examples(many: int, **more: Any) -> settings:
    """Return settings with `many` examples where others have `MANY`, and in proportion fewer in CI."""
    return settings(max_examples=max(1, many * settings.default.max_examples // MANY), **more)
