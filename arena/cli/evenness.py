"""The balance certificate for the terminal, as a table and as JSON. Counts nothing itself."""

from __future__ import annotations

from arena.cli.layout import table
from arena.conduct.balance import Balance, evenness

__all__ = ["balance_json", "balance_table"]


def balance_table(balance: Balance[str]) -> list[str]:
    """The lines of the certificate as a table."""
    rows = [
        (line.name, line.counted, f"{line.least:,}", f"{line.most:,}", f"{line.spread:,}")
        for line in evenness(balance)
    ]
    return table(["balance", "counted", "least", "most", "spread"], rows, frozenset({0, 1}))


def balance_json(balance: Balance[str]) -> dict[str, object]:
    """The certificate with every count; the key of a pair or seat is written "duck low" or "duck 2"."""
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
