"""How much thinking off turn is too much. No clock: the times are made up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.bot.off_turn import BURST_US, BotOffTurn, OffTurn

_SECOND = 1_000_000


def _until_too_much(share: float, step_us: int = 10_000, most_us: int = 60 * _SECOND) -> int | None:
    """After how many microseconds off turn a bot that always uses this share of a core has used too much."""
    account = OffTurn(BotOffTurn())
    account.add(0, 0, 0)
    for now in range(step_us, most_us, step_us):
        if account.add(round(share * now), now, now):
            return now
    return None


def test_who_spins_is_found_after_a_second_and_a_quarter() -> None:
    assert _until_too_much(1.0) == 1_260_000
    assert _until_too_much(0.45) == 4_010_000


def test_a_fifth_of_a_core_is_allowed_for_ever() -> None:
    assert _until_too_much(0.2) is None


def test_bursts_are_forgotten() -> None:
    account = OffTurn(BotOffTurn())
    cpu = wall = 0
    for _ in range(20):
        cpu, wall = cpu + _SECOND, wall + _SECOND  # fills it to 0.8
        assert not account.add(cpu, wall, wall)
        wall += 4 * _SECOND
        assert not account.add(cpu, wall, wall)


def test_totals_that_are_measured_worse_the_second_time_count_once() -> None:
    account = OffTurn(BotOffTurn())
    for cpu in (900_000, 100_000, 900_000, 100_000, 900_000):
        assert not account.add(cpu, 1, 1)


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 10**6)), max_size=50))
def test_nobody_is_blamed_for_less_than_the_burst(steps: list[tuple[int, int]]) -> None:
    account = OffTurn(BotOffTurn())
    cpu = wall = 0
    for cpu_step, wall_step in steps:
        cpu, wall = cpu + cpu_step, wall + wall_step
        if account.add(cpu, wall, wall):
            assert cpu > BURST_US


def _together(processes: int, share: float, most_us: int = 200 * _SECOND) -> int | None:
    """After how many microseconds so many processes, each with this share, are too much."""
    bot = BotOffTurn()
    accounts = [OffTurn(bot) for _ in range(processes)]
    step_us = _SECOND // processes
    for number, now in enumerate(range(step_us, most_us, step_us)):
        if accounts[number % processes].add(round(share * now), now, now):
            return now
    return None


def test_processes_that_take_a_core_together_are_found_though_each_takes_little() -> None:
    assert _together(1, 0.09) is None
    found = _together(8, 0.09)  # 72 % of a core; one second for each is spared
    assert found is not None
    assert 8 / (8 * 0.09 - 0.2) * _SECOND <= found < 20 * _SECOND
    assert _together(64, 0.0125) is not None


def test_a_fifth_of_a_core_is_allowed_to_all_together() -> None:
    assert _together(8, 0.2 / 8) is None
    assert _together(50, 0.2 / 50) is None


def test_each_process_may_have_its_burst_when_it_starts() -> None:
    bot = BotOffTurn()
    now = 0
    for _ in range(24):
        account = OffTurn(bot)
        now += _SECOND
        assert not account.add(_SECOND, _SECOND, now)


def test_what_ended_processes_used_stays_counted() -> None:
    bot = BotOffTurn()
    for now in range(_SECOND, 4 * _SECOND, _SECOND):
        account = OffTurn(bot)
        too_much = account.add(700_000, _SECOND, now)
        account.close()
    assert too_much
    assert bot.processes == 0
    assert OffTurn(bot).add(0, 0, now), "and holds for those that follow"


def test_one_that_spins_makes_the_others_stop_too() -> None:
    bot = BotOffTurn()
    spins, rests = OffTurn(bot), OffTurn(bot)
    assert not rests.add(0, 1, 1)
    assert spins.add(2 * _SECOND, 2 * _SECOND, 2 * _SECOND)
    assert rests.add(0, 2, 2 * _SECOND)
