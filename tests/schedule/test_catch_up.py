"""How newcomers catch up: what they owe, who sits at their tables, and how even that is for the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule import OpenPlan, PhaseField, Session, catch_up_block
from arena.schedule.catch_up import Owed, in_debt, quota
from tests.examples import examples


def block_of(
    old: int, owed: Mapping[int, int], seats: int = 4, season: str = "digest", cycles: int = 4
) -> tuple[Session, ...]:
    """The block in which `owed` catch up, after a phase of the first `old` entries."""
    entries = (*range(old), *(entry for entry in owed if entry >= old))
    first = PhaseField(0, cycles, tuple(range(old)))
    plan = OpenPlan(seats, season, [first, PhaseField(cycles, 2, entries, tuple(owed.items()))])
    return plan.cycle(cycles)


def sat(block: tuple[Session, ...]) -> Counter[int]:
    return Counter(entry for session in block for entry in session.order)


@st.composite
def blocks(draw: st.DrawFn) -> tuple[int, dict[int, int], int, str]:
    """Old entries, what new ones owe, the seats, and the season."""
    seats = draw(st.integers(3, 6))
    old = draw(st.integers(seats, 14))
    owed = {old + new: draw(st.integers(1, 14)) for new in range(draw(st.integers(1, old - 1)))}
    return old, owed, seats, draw(st.sampled_from("abc"))


@examples(60)
@given(blocks())
def test_every_newcomer_gets_what_it_owes_with_two_of_them_at_a_table_at_most(
    made: tuple[int, dict[int, int], int, str],
) -> None:
    old, owed, seats, season = made
    block = block_of(old, owed, seats, season)
    assert {entry: sat(block)[entry] for entry in owed} == owed
    left = dict(owed)
    for session in block:
        assert len(set(session.order)) == seats
        new = [entry for entry in session.order if entry in owed]
        assert 1 <= len(new) <= min(2, seats - 1)
        assert max(left[entry] for entry in new) == max(left.values())
        for entry in new:
            left[entry] -= 1


@examples(40)
@given(st.integers(4, 14), st.integers(1, 40), st.sampled_from("abcdef"))
def test_a_single_newcomer_meets_all_others_equally_often(old: int, sessions: int, season: str) -> None:
    played = sat(block_of(old, {old: sessions}, season=season))
    extra = [played[entry] for entry in range(old)]
    assert sum(extra) == 3 * sessions
    assert max(extra) - min(extra) <= 1


def asked(
    counted: dict[int, int], entries: int = 0, cycles: int = 1, balanced: int = 1, seats: int = 4
) -> Owed:
    """The block after a phase of all entries that have counted sessions; house bots come last."""
    old = tuple(entry for entry, sessions in counted.items() if sessions)
    plan = OpenPlan(seats, "x", [PhaseField(0, cycles, old)])
    return catch_up_block(plan, range(max(entries, len(counted))), balanced, counted)


def test_a_block_is_half_of_its_phase_at_most_and_all_newcomers_have_the_same_share() -> None:
    counted = {**dict.fromkeys(range(12), 60), **dict.fromkeys(range(12, 17), 0)}
    found = asked(counted)
    shares = {sessions for _, sessions in found}
    assert len(shares) == 1
    share = shares.pop()
    assert sessions_of(found) <= 17
    assert sessions_of(tuple((entry, share + 1) for entry, _ in found)) > 17


def sessions_of(owed: tuple[tuple[int, int], ...]) -> int:
    first = PhaseField(0, 1, tuple(range(12)))
    return OpenPlan(4, "x", [first, PhaseField(1, 1, tuple(range(17)), owed)]).sessions_in(1)


@examples(30)
@given(blocks(), st.integers(1, 3))
def test_what_is_left_over_is_caught_up_in_the_next_phases(
    made: tuple[int, dict[int, int], int, str], balanced: int
) -> None:
    """All sessions count here: after a few phases everybody has the quota and nobody owes anything."""
    old, new, seats, season = made
    old += len(new)  # newcomers are fewer than half
    entries = tuple(range(old + len(new)))
    phases = [PhaseField(0, 9, entries[:old])]
    for _ in range(40):
        plan = OpenPlan(seats, season, phases)
        played = {entry: plan.sat()[entry] for entry in entries}
        found = catch_up_block(plan, entries, balanced, played)
        if not in_debt(played, played):
            break
        phases.append(PhaseField(plan.cycles, balanced + 1, entries, found))
        longer = OpenPlan(seats, season, phases)
        assert 0 < longer.sessions_in(plan.cycles) <= balanced * len(entries)
    assert in_debt(played, played) == ()
    assert min(played.values()) >= quota(played.values()) > 0
