"""How much thinking off turn is too much. No clock: the times are made up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.off_turn import BURST_US, OffTurn

_SECOND = 1_000_000


def _until_too_much(share: float, step_us: int = 10_000, most_us: int = 60 * _SECOND) -> int | None:
    """After how many microseconds off turn a bot that always uses this share of a core has used too much."""
    account = OffTurn()
    for now in range(step_us, most_us, step_us):
        if account.add(round(share * now), now):
            return now
    return None


def test_who_spins_is_found_after_a_second_and_a_quarter() -> None:
    assert _until_too_much(1.0) == 1_260_000
    assert _until_too_much(0.45) == 4_010_000


def test_a_fifth_of_a_core_is_allowed_for_ever() -> None:
    assert _until_too_much(0.2) is None


def test_bursts_are_forgotten() -> None:
    account = OffTurn()
    cpu = wall = 0
    for _ in range(20):
        cpu, wall = cpu + _SECOND, wall + _SECOND  # fills it to 0.8
        assert not account.add(cpu, wall)
        wall += 4 * _SECOND
        assert not account.add(cpu, wall)


def test_totals_that_are_measured_worse_the_second_time_count_once() -> None:
    account = OffTurn()
    for cpu in (900_000, 100_000, 900_000, 100_000, 900_000):
        assert not account.add(cpu, 1)


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 10**6)), max_size=50))
def test_nobody_is_blamed_for_less_than_the_burst(steps: list[tuple[int, int]]) -> None:
    account = OffTurn()
    cpu = wall = 0
    for cpu_step, wall_step in steps:
        cpu, wall = cpu + cpu_step, wall + wall_step
        if account.add(cpu, wall):
            assert cpu > BURST_US
