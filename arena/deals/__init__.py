"""The deals: boards, dice and everything else that a secret decides.

The package is pure, and must not know matches or storage.
"""

from arena.deals.deals import (
    NEWEST,
    SECRET_BYTES,
    Deals,
    Derivation,
    MatchKey,
    StretchDeals,
    check_printable,
    commitment,
    pick,
    seeded_secret,
    stretch_key,
)

__all__ = [
    "NEWEST",
    "SECRET_BYTES",
    "Deals",
    "Derivation",
    "MatchKey",
    "StretchDeals",
    "check_printable",
    "commitment",
    "pick",
    "seeded_secret",
    "stretch_key",
]
