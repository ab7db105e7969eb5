"""The deals: boards, dice and all else that a secret decides. Pure: knows no match and no storage."""

from arena.deals.deals import (
    SECRET_BYTES,
    Deals,
    MatchKey,
    check_printable,
    commitment,
    pick,
    seeded_secret,
    stretch_key,
)

__all__ = [
    "SECRET_BYTES",
    "Deals",
    "MatchKey",
    "check_printable",
    "commitment",
    "pick",
    "seeded_secret",
    "stretch_key",
]
