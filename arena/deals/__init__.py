"""The deals: boards, dice and everything else that a secret decides.

The package is pure, and must not know matches or storage.
"""

from arena.deals.deals import (
    DERIVATION,
    SECRET_BYTES,
    Deals,
    MatchKey,
    PhaseDeals,
    check_printable,
    commitment,
    phase_key,
    pick,
    seeded_secret,
)

__all__ = [
    "DERIVATION",
    "SECRET_BYTES",
    "Deals",
    "MatchKey",
    "PhaseDeals",
    "check_printable",
    "commitment",
    "phase_key",
    "pick",
    "seeded_secret",
]
