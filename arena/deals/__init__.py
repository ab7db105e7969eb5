"""The deals: boards, dice and everything else that a secret decides.

The package is pure, and must not know matches or storage.
"""

from arena.deals.deals import (
    CHAIN_LENGTH,
    DERIVATION,
    SECRET_BYTES,
    Deals,
    MatchKey,
    PhaseDeals,
    chained_secret,
    check_printable,
    commitment,
    phase_key,
    pick,
    seeded_secret,
)

__all__ = [
    "CHAIN_LENGTH",
    "DERIVATION",
    "SECRET_BYTES",
    "Deals",
    "MatchKey",
    "PhaseDeals",
    "chained_secret",
    "check_printable",
    "commitment",
    "phase_key",
    "pick",
    "seeded_secret",
]
