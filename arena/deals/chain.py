"""The secrets of an open season with a public draw: a chain, of which the first commitment fixes every link.

Whoever knows the draw could try secrets for a later stretch until its deals suit somebody. So all secrets of
the season follow from one end that is drawn before the first stretch. The secret of a stretch is the SHA-256
of the secret of the next one: what has been shown checks what is shown later, and tells nothing of it. Pure:
the caller draws the end and keeps it to itself.
"""

from __future__ import annotations

import hashlib

from arena.deals.deals import SECRET_BYTES

__all__ = ["CHAIN_LENGTH", "chained_secret"]

CHAIN_LENGTH = 10_000
"""The stretches of a season that has such a chain, at most: one an hour for more than a year."""


def chained_secret(end: bytes, stretch: int) -> bytes:
    """Return the secret of a stretch, from 0: the end of the chain, hashed CHAIN_LENGTH - 1 - stretch times.

    Raises ValueError for an end that has not 32 bytes, and for a stretch after the last link.
    """
    if len(end) != SECRET_BYTES:
        raise ValueError(f"the end of a chain has {SECRET_BYTES} bytes, not {len(end)}")
    if not 0 <= stretch < CHAIN_LENGTH:
        raise ValueError(f"stretch {stretch}: the chain of secrets has links for {CHAIN_LENGTH:,} stretches")
    secret = end
    for _ in range(CHAIN_LENGTH - 1 - stretch):
        secret = hashlib.sha256(secret).digest()
    return secret
