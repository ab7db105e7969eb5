"""The phases in which a seat decides. This module must not know records or statistics."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Phase"]


class Phase(StrEnum):
    """What kind of decision it is. The values stand in the database and on the pages."""

    PASS = "pass"  # noqa: S105  (a word of the game, no password)
    LEAD = "lead"
    FOLLOW = "follow"
    """To a trick in progress, with a card of the suit that was led."""
    DISCARD = "discard"
    """To a trick in progress, without a card of the suit that was led."""
