"""The digest that names a season: it seeds every draw of the schedule. Knows nothing of leagues' files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping


def canonical_json(document: Mapping[str, object]) -> str:
    """The one JSON text of a season's fixed keys, bot ids and bot digests.

    Keys sorted by code point, no spaces, no escapes where UTF-8 needs none, numbers as Python
    writes them (1.0 and 1 differ, so the caller settles which keys are fractions). Raises
    ValueError for NaN and infinities, TypeError for what JSON cannot hold.
    """
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def season_digest(document: Mapping[str, object]) -> str:
    """Lowercase hex SHA-256 of the UTF-8 bytes of the document's canonical JSON."""
    return hashlib.sha256(canonical_json(document).encode()).hexdigest()
