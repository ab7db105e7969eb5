"""How many examples a property is tried with: a few by default, more with `--hypothesis-profile=ci`."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

__all__ = ["examples", "register_profiles"]

FEW, MANY = 20, 100
"""Of a property that does not say how many."""


def register_profiles() -> None:
    """Few examples are the default. No example has a deadline: a busy machine is no mistake of ours."""
    settings.register_profile("few", max_examples=FEW, deadline=None)
    settings.register_profile("ci", max_examples=MANY, deadline=None)
    settings.load_profile("few")


def examples(many: int, **more: Any) -> settings:
    """For a property whose examples are dear or cheap: so many in CI, in proportion fewer by default."""
    return settings(max_examples=max(1, many * settings.default.max_examples // MANY), **more)
