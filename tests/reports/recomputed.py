"""The numbers of the pages, computed again from the tables of the export with plain Python.

A second account on purpose: it uses nothing that computes for the pages. `exported` gives the export, the
other functions are sums over it. Tables of a page are found by the words of their heads, wherever they stand.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena.export import Export, Format, What, columns_of, encoded, table_rows
from arena.store import read
from arena.store.database import Database
from tests.reports.parsed import Element

Row = dict[str, Any]
Place = tuple[int, int]

_NUMBER = re.compile(r"([−+±-]?)([\d,]+)(?:\.(\d+))?\s*(ms|s|%)?")
_SCALE = {"ms": 1e3, "s": 1e6, "%": 0.01, None: 1.0}


@dataclass(frozen=True, slots=True)
class Data:
    """The tables of a season, as `arena export` writes them."""

    standings: list[Row]
    matches: list[Row]
    rounds: list[Row]
    plays: list[Row]

    def match(self, number: int) -> list[Row]:
        """The seats of a match."""
        return [row for row in self.matches if row["match"] == number]

    def numbers(self) -> list[int]:
        return sorted({row["match"] for row in self.matches})

    def counting(self) -> set[int]:
        """The numbers of the matches that count."""
        return {row["match"] for row in self.matches if row["state"] == "complete"}

    def points(self, number: int) -> dict[Place, int]:
        """Card points of a match by round and seat."""
        rows = (row for row in self.rounds if row["match"] == number)
        return {(row["round"], row["seat"]): row["card_points"] for row in rows}

    def name(self, bot: str) -> str:
        return next(str(row["name"]) for row in self.standings if row["bot"] == bot)

    def margin(self, number: int) -> int:
        """The points between the first and the last of a match."""
        totals = [total(row) for row in self.match(number)]
        return max(totals) - min(totals)

    def counted(self, bot: str | None = None) -> list[Row]:
        """The rounds that count, of one bot or of all."""
        counting = self.counting()
        return [row for row in self.rounds if row["match"] in counting and bot in (None, row["bot"])]

    def meetings(self, bot: str, other: str) -> list[tuple[Row, Row]]:
        """The counting matches of two bots, with the seat of each."""
        seats: defaultdict[int, dict[str, Row]] = defaultdict(dict)
        for row in self.matches:
            if row["state"] == "complete":
                seats[row["match"]][row["bot"]] = row
        return [(of[bot], of[other]) for of in seats.values() if bot in of and other in of]

    def together(self, bot: str, other: str) -> float:
        """The points a round that a bot has more than another one at the same tables."""
        met = self.meetings(bot, other)
        return sum(total(a) - total(b) for a, b in met) / sum(a["rounds"] for a, _ in met)

    def tricks(self) -> Iterator[tuple[Row, list[Row], int]]:
        """Every trick: a row of its round, the cards in the order of play, and the seat that takes it."""
        rounds = {(row["match"], row["round"]): row for row in self.rounds}
        played: defaultdict[tuple[int, int, int], list[Row]] = defaultdict(list)
        for row in self.plays:
            if row["question"]:
                played[row["match"], row["round"], row["question"]].append(row)
        for (match, round_, _), cards in played.items():
            led = cards[0]["cards"][0]
            best = max(
                (row for row in cards if row["cards"][0] == led), key=lambda row: int(row["cards"][1:])
            )
            yield rounds[match, round_], cards, best["seat"]

    def taken(self) -> tuple[Counter[tuple[int, int, int]], dict[Place, int]]:
        """The card points by match, round and seat, added up card by card, and who took each Papayoo."""
        points: Counter[tuple[int, int, int]] = Counter()
        papayoo: dict[Place, int] = {}
        for round_, cards, taker in self.tricks():
            place = (round_["match"], round_["round"])
            for card in (row["cards"] for row in cards):
                if card == round_["papayoo"]:
                    papayoo[place] = taker
                    points[(*place, taker)] += 40
                elif card[0] == "P":
                    points[(*place, taker)] += int(card[1:])
        return points, papayoo


def total(row: Row) -> int:
    """What a bot has in a match."""
    return int(row["card_points"] + row["fault_points"])


def exported(database: Database) -> Data:
    """The export of the newest season."""
    return Data(*(_table(database, what) for what in (What.STANDINGS, What.MATCHES, What.ROUNDS, What.PLAYS)))


def _table(database: Database, what: What) -> list[Row]:
    rows = table_rows(database, Export(read.seasons(database)[-1], what, timing=True))
    names = [one.name for one in columns_of(what, timing=True)]
    found: list[Row] = json.loads(b"".join(encoded(rows, names, Format.JSON)))
    return found


def spent(plays: Iterable[Row], bot: str) -> list[int]:
    """The microseconds of each of these decisions that a bot was asked for."""
    return [row["time_us"] for row in plays if row["bot"] == bot and row["time_us"]]


def quantile(values: Iterable[int], share: float) -> int:
    """The least value that at least this share does not exceed."""
    ordered = sorted(values)
    return next(value for place, value in enumerate(ordered, 1) if place >= share * len(ordered) - 1e-9)


def value(text: str) -> float:
    """A number as it is written; times in microseconds, shares below 1."""
    return _written(text)[0]


def agrees(text: str, expected: float) -> bool:
    """Whether a number as it is written is this one, rounded."""
    found, half = _written(text)
    return abs(found - expected) <= half * 1.0001


def _written(text: str) -> tuple[float, float]:
    """A number, and half of its last digit."""
    found = _NUMBER.match(text)
    assert found, f"no number: {text!r}"
    sign, whole, digits, unit = found.groups()
    number = float(f"{whole.replace(',', '')}.{digits or 0}") * (-1 if sign in ("−", "-") else 1)
    return number * _SCALE[unit], 0.5 * 10.0 ** -len(digits or "") * _SCALE[unit]


def table_of(page: Element, *words: str) -> Element:
    """The first table whose head begins its cells with these words."""
    for table in page.all("table"):
        if all(any(name.startswith(word) for name in head(table)) for word in words):
            return table
    raise AssertionError(f"no table with {words}")


def head(table: Element) -> list[str]:
    """The texts of the first row of a table."""
    return [cell.text for cell in _cells(table.all("tr")[0])]


def column(table: Element, word: str) -> list[str]:
    """The texts of a column, by how its head begins, without small print.

    Rows that are not as long as the head are no lines.
    """
    names = head(table)
    place = next(place for place, name in enumerate(names) if name.startswith(word))
    lines = [_cells(row) for row in table.all("tr")[1:]]
    return [_large(cells[place]) for cells in lines if len(cells) == len(names)]


def _large(cell: Element) -> str:
    parts = (one if isinstance(one, str) else one.text for one in cell.children if not _is_small(one))
    return " ".join("".join(parts).split())


def _is_small(one: Element | str) -> bool:
    return isinstance(one, Element) and one.tag == "small"


def _cells(row: Element) -> Sequence[Element]:
    return [cell for cell in row.children if isinstance(cell, Element)]
