"""Shows the balance certificate, of what is planned or of what was played, as text and as JSON.

The text fits 80 columns. Must not count anything itself.
"""

from __future__ import annotations

from arena.cli.layout import table
from arena.conduct.balance import Balance, evenness

__all__ = ["balance_json", "balance_table"]


def balance_table(balance: Balance[str]) -> list[str]:
    """Return the lines of the certificate as a table."""
    rows = [
        (line.name, line.counted, f"{line.least:,}", f"{line.most:,}", f"{line.spread:,}")
        for line in evenness(balance)
    ]
    return table(["balance", "counted", "least", "most", "spread"], rows, frozenset({0, 1}))


def balance_json(balance: Balance[str]) -> dict[str, object]:
    """Return the certificate with every count; the keys of a pair and a seat read "duck low" and "duck 2"."""
    counted = {
        "games": dict(balance.games.counts),
        "meetings": {" ".join(pair): count for pair, count in balance.meetings.counts.items()},
        "seats": {f"{bot} {seat}": count for (bot, seat), count in balance.seats.counts.items()},
        "dealing": dict(balance.dealing.counts),
        "left": {" ".join(pair): count for pair, count in balance.left.counts.items()},
        "right": {" ".join(pair): count for pair, count in balance.right.counts.items()},
    }
    return {
        line.name: {
            "counted": line.counted,
            "least": line.least,
            "most": line.most,
            "spread": line.spread,
            "counts": counted[line.name],
        }
        for line in evenness(balance)
    }
