"""Whole seasons read piece by piece: every round as it was stored, charges shared among rounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import MatchRecord
from arena.store import matches as module
from arena.store import read, write
from arena.store.matches import PlayedMatch
from tests.reports.played import Bot, League, play
from tests.store.samples import keys, opened, planned, played


def stored(path: Path, *records: MatchRecord) -> list[PlayedMatch]:
    """The first session of a season, finished with these records, read back."""
    with opened(path) as database:
        write.begin_sessions(database, 1, 0, [(planned(), keys())], at=1_500)
        write.save_matches(database, 1, records)
        return list(read.played(database, 1))


def charged(
    record: MatchRecord, charge: int, *faults: Fault, at: tuple[int, int] | None = None
) -> MatchRecord:
    seat = record.seats[1]
    cause = HandOver.MAX_FAULTS if at else None
    seat = replace(seat, charge=charge, faults=len(faults), hand_over=cause, hand_over_at=at)
    return replace(record, seats=(record.seats[0], seat, *record.seats[2:]), faults=faults)


def timeout(round_: int | None, question: int | None = 3) -> Fault:
    return Fault(1, FaultKind.TIMEOUT, "nothing arrived", round_, question)


@pytest.mark.parametrize(
    ("record", "by_round"),
    [
        (lambda r: charged(r, 80, timeout(1), timeout(3)), [0, 40, 0, 40]),
        (lambda r: charged(r, 120, timeout(1), timeout(2), timeout(2), at=(2, 5)), [0, 40, 80, 0]),
        (lambda r: charged(r, 120, timeout(3), at=(3, 0)), [0, 0, 0, 120]),
        (lambda r: charged(r, 120, timeout(None, None), at=(0, 0)), [120, 0, 0, 0]),
        (lambda r: charged(r, 80, timeout(None, None), timeout(2)), [40, 0, 40, 0]),
    ],
    ids=["each in its round", "handed over", "the rest at the hand-over", "never started", "outside a round"],
)
def test_charges_are_shared_among_the_rounds(tmp_path: Path, record: object, by_round: list[int]) -> None:
    assert callable(record)
    (found,) = stored(tmp_path / "x.db", record(played(keys()[0])))
    assert [round_.fault_points[1] for round_ in found.rounds] == by_round
    assert {round_.fault_points[seat] for round_ in found.rounds for seat in (0, 2, 3)} == {0}


def test_the_size_of_the_pieces_changes_nothing(tmp_path: Path) -> None:
    bots = (*(Bot(f"Bot {number}", fault_rate=0.05) for number in range(3)), Bot("Silent", fault_rate=1.0))
    with play(tmp_path / "x.db", League(bots=bots, seats=3, rounds=3, matches=15)) as database:
        whole = list(read.played(database, 1))
        with patch.object(module, "_MATCHES_AT_ONCE", 4):
            assert list(read.played(database, 1)) == whole
            assert list(read.each_match(database, 1)) == [each.match for each in whole]
        assert [each.match for each in whole] == read.matches(database, 1)
    for each in whole:
        sums = [sum(points) for points in zip(*(round_.fault_points for round_ in each.rounds), strict=True)]
        assert sums == [seat.charge for seat in each.match.seats]
