"""Shows the balance certificate, of what is planned or of what was played, as text and as JSON.

The text fits 80 columns. Must not count anything itself.
"""

from __future__ import annotations

from arena.cli.layout import table
from arena.conduct.balance import Balance


def balance_table(balance: Balance) -> list[str]:
    """Return the lines of the certificate as a table."""
    rows = [(one.name, one.counted, f"{one.least:,}", f"{one.most:,}", f"{one.spread:,}") for one in balance]
    return table(["balance", "counted", "least", "most", "spread"], rows, frozenset({0, 1}))


def balance_json(balance: Balance) -> dict[str, object]:
    """Return the certificate with every count; the keys of a pair and a seat read "duck low" and "duck 2"."""
    return {
        one.name: {
            "counted": one.counted,
            "least": one.least,
            "most": one.most,
            "spread": one.spread,
            "counts": {" ".join(map(str, key)): count for key, count in one.counts.items()},
        }
        for one in balance
    }
