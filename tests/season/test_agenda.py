"""The agenda: every match in one pair of hands, in the order of the schedule, until it is over."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.deals import MatchKey
from arena.schedule import Field, LineUps, Plan
from arena.season.agenda import MAX_TRIES, Agenda, Played, Work
from arena.store.views import MatchSlot, SessionState

PLAN = Plan(Field(4, 3, "0" * 64, LineUps.ALL))
SESSIONS = PLAN.sessions_per_cycle
ORDERS = PLAN.matches_per_session


def taken(agenda: Agenda) -> Work:
    work = agenda.next()
    assert work is not None
    return work


def slot(key: MatchKey) -> MatchSlot:
    return key.cycle, key.index, key.order


def test_sessions_come_in_the_order_of_the_schedule() -> None:
    agenda = Agenda(PLAN, 2, Played())
    works = [taken(agenda) for _ in range(2 * SESSIONS)]
    assert [work.session for work in works] == [*PLAN.cycle(0), *PLAN.cycle(1)]
    assert agenda.next() is None
    assert all([key.order for key in work.keys] == list(range(ORDERS)) for work in works)
    assert {key.attempt for work in works for key in work.keys} == {0}
    assert agenda.matches_left == agenda.planned == 2 * SESSIONS * ORDERS


def test_what_was_played_before_is_not_played_again() -> None:
    played = Played(
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


def test_a_match_is_tried_three_times() -> None:
    agenda = Agenda(PLAN, 1, Played())
    work = taken(agenda)
    key = work.keys[0]
    assert [agenda.aborted(work.session, key) for _ in range(MAX_TRIES + 1)] == [False, False, True, False]
    assert agenda.matches_left == (SESSIONS - 1) * ORDERS


def test_an_aborted_match_waits_until_its_session_is_given_back() -> None:
    agenda = Agenda(PLAN, 1, Played())
    work = taken(agenda)
    assert not agenda.aborted(work.session, work.keys[0])
    other = taken(agenda)
    assert other.session != work.session
    for key in work.keys[1:]:
        agenda.finished(key)
    agenda.give_back(work.session)
    again = taken(agenda)
    assert again == Work(work.session, (MatchKey(0, work.session.index, 0, 1),))


def test_withdrawn_attempts_have_their_numbers_again() -> None:
    agenda = Agenda(PLAN, 1, Played(attempts={(0, 0, 0): 2}))
    work = taken(agenda)
    agenda.unbegin(work.keys)
    agenda.give_back(work.session)
    assert taken(agenda) == work


def test_too_many_tries_leave_the_session_out_and_nothing_else() -> None:
    agenda = Agenda(PLAN, 1, Played(aborted={(0, 0, 1): MAX_TRIES - 1}))
    work = taken(agenda)
    agenda.finished(work.keys[0])
    assert agenda.aborted(work.session, work.keys[1])
    assert agenda.matches_left == (SESSIONS - 1) * ORDERS
    agenda.finished(work.keys[2])  # it was being played on
    assert not agenda.aborted(work.session, work.keys[3])
    agenda.give_back(work.session)
    assert agenda.matches_left == (SESSIONS - 1) * ORDERS
    assert taken(agenda).session.index == 1


def test_a_held_cycle_can_be_let_go_while_the_last_sessions_are_played() -> None:
    agenda = Agenda(PLAN, 2, Played(), held=True)
    works = [taken(agenda) for _ in range(SESSIONS)]
    assert agenda.next() is None
    assert (agenda.held, agenda.waiting) == (1, None)
    assert agenda.in_hand() == [work.session for work in works]
    for key in works[0].keys:
        agenda.finished(key)
    assert agenda.in_hand() == [work.session for work in works[1:]]
    agenda.go_on()
    assert taken(agenda).session.cycle == 1
    assert agenda.next() is not None


@given(st.integers(0, 2**32))
def test_whatever_happens_every_match_ends_once(seed: int) -> None:
    rng = Random(seed)
    agenda = Agenda(PLAN, 2, Played())
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


def finish(agenda: Agenda, work: Work) -> None:
    for key in work.keys:
        agenda.finished(key)
    agenda.give_back(work.session)


def test_a_held_cycle_waits_until_the_one_before_is_over_and_somebody_says_so() -> None:
    agenda = Agenda(PLAN, 3, Played(), held=True)
    works = [taken(agenda) for _ in range(SESSIONS)]
    assert {work.session.cycle for work in works} == {0}
    assert agenda.next() is None
    for work in works[1:]:
        finish(agenda, work)
    assert agenda.waiting is None
    assert agenda.next() is None
    finish(agenda, works[0])
    assert agenda.waiting == 1
    assert agenda.next() is None
    agenda.go_on()
    assert agenda.waiting is None
    assert taken(agenda).session == PLAN.cycle(1)[0]


def test_what_is_ended_between_cycles_is_not_played() -> None:
    agenda = Agenda(PLAN, 3, Played(), held=True)
    for _ in range(SESSIONS):
        finish(agenda, taken(agenda))
    agenda.end()
    assert (agenda.waiting, agenda.next(), len(agenda), agenda.matches_left) == (None, None, 0, 0)


def test_a_begun_cycle_is_not_held_again() -> None:
    over = {(0, index): SessionState.COMPLETE for index in range(SESSIONS)}
    assert Agenda(PLAN, 3, Played(states=over), held=True).waiting == 1
    begun = Agenda(PLAN, 3, Played(states=over, attempts={(1, 2, 0): 0}), held=True)
    assert begun.waiting is None
    assert taken(begun).session == PLAN.cycle(1)[0]


def test_an_unheld_agenda_never_waits() -> None:
    agenda = Agenda(PLAN, 2, Played())
    for _ in range(2 * SESSIONS):
        assert agenda.waiting is None
        finish(agenda, taken(agenda))
    assert agenda.waiting is None
