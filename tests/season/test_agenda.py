"""The agenda: every match in one pair of hands, in the order of the schedule, until it is over."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.deals import MatchKey
from arena.schedule import Field, LineUps, Plan, plan_decisions
from arena.season.agenda import Agenda, Work
from arena.store.stored_season import SoFar
from arena.store.views import MatchSlot, SessionState

PLAN = Plan(Field(4, 3, "0" * 64, LineUps.ALL))
SESSIONS = PLAN.sessions_per_cycle
ORDERS = PLAN.matches_per_session
COMPLETE = SessionState.COMPLETE


def taken(agenda: Agenda) -> Work:
    work = agenda.next()
    assert work is not None
    return work


def slot(key: MatchKey) -> MatchSlot:
    return key.cycle, key.index, key.order


def test_what_was_played_before_is_not_played_again() -> None:
    played = SoFar(
        states={
            (0, 0): SessionState.COMPLETE,
            (0, 1): SessionState.VOIDED,
            (0, 2): SessionState.LEFT_OUT,
            (0, 3): SessionState.PLANNED,
        },
        finished={(0, 3, 0), (0, 3, 2)},
        attempts={(0, 3, 0): 0, (0, 3, 1): 4, (0, 3, 2): 1},
    )
    agenda = Agenda(PLAN, 1, played)
    assert (agenda.planned, agenda.matches_left) == (SESSIONS * ORDERS, ORDERS - 2)
    work = taken(agenda)
    assert (work.session.cycle, work.session.index) == (0, 3)
    assert [(key.order, key.attempt) for key in work.keys] == [(1, 5), (3, 0), (4, 0), (5, 0)]
    assert agenda.next() is None


# Decisions


def play_all(agenda: Agenda) -> list[int]:
    """Play what is handed out now, and return of which cycles it was."""
    cycles = []
    while (work := agenda.next()) is not None:
        cycles.append(work.session.cycle)
        for key in work.keys:
            agenda.finished(key)
        agenda.give_back(work.session)
    return cycles


def held(cycles: int, played: SoFar | None = None) -> Agenda:
    return Agenda(PLAN, cycles, played or SoFar(), plan_decisions(0, cycles, sessions=8))


def test_one_cycle_may_be_begun_while_a_decision_is_open() -> None:
    agenda = held(20)
    assert set(play_all(agenda)) == {0, 1}
    assert agenda.undecided == 1
    agenda.decided(1)
    assert set(play_all(agenda)) == {2}
    for end in (2, 3, 4):
        agenda.decided(end)
    assert set(play_all(agenda)) == {3, 4, 5}
    for end in range(5, 17):
        agenda.decided(end)
        play_all(agenda)
    assert agenda.undecided == 18, "decisions are two cycles apart now"
    agenda.decided(18)
    play_all(agenda)
    assert (agenda.undecided, agenda.matches_left) == (20, 0), "the end is decided, too"
    agenda.decided(20)
    assert agenda.undecided is None


def test_a_decision_that_may_have_been_made_is_made_again() -> None:
    over = dict.fromkeys(((cycle, index) for cycle in range(4) for index in range(SESSIONS)), COMPLETE)
    agenda = held(9, SoFar(states=over))
    decided = []
    while (end := agenda.undecided) is not None:
        decided.append(end)
        agenda.decided(end)
    assert decided == [3, 4]


@given(st.integers(0, 2**32))
def test_whatever_happens_every_match_ends_once(seed: int) -> None:
    rng = Random(seed)
    agenda = Agenda(PLAN, 2, SoFar())
    hands: list[Work] = []
    done: set[MatchSlot] = set()
    tries: dict[MatchSlot, int] = {}
    left_out: set[tuple[int, int]] = set()
    while len(agenda) or hands:
        if len(agenda) and (len(hands) < 3 or rng.random() < 0.3):
            work = taken(agenda)
            assert all(held.session != work.session for held in hands)
            for key in work.keys:
                assert slot(key) not in done
                assert key.attempt == tries.get(slot(key), 0)
            hands.append(work)
            continue
        work = hands.pop(rng.randrange(len(hands)))
        where = work.session.cycle, work.session.index
        for place, key in enumerate(work.keys):
            fate = rng.random()
            if fate < 0.1:
                agenda.unbegin(work.keys[place:])
                break
            tries[slot(key)] = key.attempt + 1
            if fate < 0.4:
                if agenda.aborted(work.session, key):
                    left_out.add(where)
            else:
                agenda.finished(key)
                done.add(slot(key))
        agenda.give_back(work.session)
    assert agenda.matches_left == 0
    expected = {(c, i, o) for c in range(2) for i in range(SESSIONS) for o in range(ORDERS)}
    assert {slot_ for slot_ in expected - done if slot_[:2] not in left_out} == set()
