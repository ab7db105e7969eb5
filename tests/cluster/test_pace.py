"""The pace of a machine: always the same work, measured in its own processor time."""

from __future__ import annotations

import time

import pytest

from arena.cluster import pace


def test_the_work_is_the_same_each_time_and_the_best_try_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[int]] = []
    deal = pace.Round.deal

    def noted(board: object, dealer: int) -> object:
        drawn[-1].append(hash((board, dealer)))
        return deal(board, dealer)  # type: ignore[arg-type]

    monkeypatch.setattr(pace.Round, "deal", noted)
    clock = iter(range(10**6))
    took = [9, 7, 8]

    def thread_time_ns() -> int:
        """Each try begins at a multiple of a second and takes what `took` says, in milliseconds."""
        number, is_end = divmod(next(clock), 2)
        if not is_end:
            drawn.append([])
        return number * 10**9 + (took[number % 3] * 10**6 if is_end else 0)

    monkeypatch.setattr(time, "thread_time_ns", thread_time_ns)
    assert pace.pace_us() == 7000
    assert len(drawn) > 10
    assert len(drawn[0]) > 10
    assert all(one == drawn[0] for one in drawn)


def test_it_is_some_time() -> None:
    assert 100 < pace.pace_us() < 10_000_000
