"""Which sessions there can be, which count, who waits, and what departed entries change."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.score import counting
from arena.score.counting import count_sessions, eligible
from arena.score.fit import fit
from arena.score.results import SessionResult, SessionResultError
from tests.score import leagues

VETERANS = ["ant@1", "bee@1", "cow@1", "duck@1", "elk@1", "fox@1"]
GONE = ["old@1", "off@1", "out@1", "owl@1"]


def season(plan: Sequence[Collection[str]], after: int = 0) -> list[SessionResult]:
    """Sessions of these line-ups, ten to a cycle, that come after so many others."""
    skill = {entry: 4.0 * (sum(map(ord, entry)) % 7 - 3) for line_up in plan for entry in line_up}
    places = [((after + i) // 10, list(line_up)) for i, line_up in enumerate(plan)]
    return [replace(s, index=s.index + after) for s in leagues.from_plan(after, places, 16, skill)]


def drawn(entries: Sequence[str], sessions: int, seed: int = 1) -> list[list[str]]:
    rng = Random(seed)
    return [rng.sample(list(entries), 4) for _ in range(sessions)]


def walked(sessions: Sequence[SessionResult]) -> set[str]:
    """Everybody whom a walk over shared tables meets."""
    met = set(sessions[0].card_points) if sessions else set()
    while wider := {bot for s in sessions if met & s.card_points.keys() for bot in s.card_points} - met:
        met |= wider
    return met


line_ups = st.lists(st.sets(st.sampled_from([*VETERANS[:4], "new@1", *GONE[:3]]), min_size=3, max_size=3))


@given(line_ups)
def test_those_who_count_stay_connected_whichever_session_is_deleted(plan: list[set[str]]) -> None:
    field = {*VETERANS[:4], "new@1"}
    sessions = season([sorted(line_up) for line_up in plan])
    found = count_sessions(sessions, field)
    everybody = {bot for session in found.sessions for bot in session.card_points}
    for i in range(len(found.sessions)):
        assert walked([*found.sessions[:i], *found.sessions[i + 1 :]]) == everybody
    assert set(found.present) == everybody & field
    assert set(found.departed) == everybody - field
    assert set(found.waiting) == field - everybody
    assert all(count >= counting.LEAST_SESSIONS for count in found.counted.values())
    rests = [sessions[:i] + sessions[i + 1 :] for i in range(len(sessions))]
    seated = {bot for session in sessions for bot in session.card_points}
    if sessions and all(walked(rest) == seated for rest in rests):
        assert len(found.sessions) == len(sessions), "nobody is left out without need"


def test_a_newcomer_waits_until_it_has_two_sessions_and_nobody_loses_by_it() -> None:
    plan, field = drawn(VETERANS, 40), [*VETERANS, "new@1"]
    before = fit(season(plan), VETERANS, 4)
    once = fit(season([*plan, ["new@1", *VETERANS[:3]]]), field, 4)
    assert once.counted.waiting == ("new@1",)
    assert (once.scores, once.half_width("ant@1")) == (before.scores, before.half_width("ant@1"))
    assert (once.sessions["new@1"], once.counted.played["new@1"], once.half_width("new@1")) == (0, 1, None)
    twice = fit(season([*plan, ["new@1", *VETERANS[:3]], ["new@1", *VETERANS[2:5]]]), field, 4)
    assert twice.counted.waiting == ()
    assert twice.half_width("new@1") is not None


def test_entries_that_hang_on_by_one_session_wait() -> None:
    strangers = [f"new{number}@1" for number in range(7)]
    plan = [*drawn(VETERANS, 30), *drawn(strangers, 50), [strangers[0], *VETERANS[:3]]]
    assert count_sessions(season(plan), VETERANS).present == tuple(VETERANS), "even if they are more"
    found = count_sessions(season(plan), [*VETERANS, *strangers[:5]])
    assert found.present == tuple(VETERANS)
    assert found.waiting == tuple(strangers[:5])
    assert len(found.sessions) == 30


def departing() -> list[SessionResult]:
    """Four entries came and went, each alone among veterans."""
    return season([line_up for gone in GONE for line_up in drawn([*VETERANS, gone], 25, sum(map(ord, gone)))])


def test_who_is_eliminated_leaves_what_who_is_kept_in_full_does(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = departing()
    eliminated = fit(sessions, VETERANS, 4)
    assert eliminated.counted.sole == set(GONE)
    monkeypatch.setattr(counting, "_with_departed", lambda ordered, here: (ordered, frozenset()))
    full = fit(sessions, VETERANS, 4)
    assert full.counted.sole == frozenset()
    assert eliminated.scores == pytest.approx(full.scores, abs=1e-9)
    assert eliminated.shift == pytest.approx(full.shift, abs=1e-9)
    for a, b in combinations(VETERANS, 2):
        assert eliminated.half_width(a, b) == pytest.approx(full.half_width(a, b), abs=1e-9)
        assert eliminated.of_verdict(a, b)[0] == pytest.approx(full.of_verdict(a, b)[0], abs=1e-9)


def test_beyond_so_many_entries_those_who_left_last_are_kept_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    first, last = [[*GONE[:2], *VETERANS[i : i + 2]] for i in range(4)], [[*GONE[2:], *VETERANS[:2]]] * 3
    sessions = [*departing(), *season([*first, *last], after=100)]
    everything = count_sessions(sessions, VETERANS)
    assert (len(everything.sessions), everything.sole) == (107, frozenset())
    assert len(eligible(sessions, VETERANS)) == 100, "those with two do not decide who has to catch up"
    monkeypatch.setattr(counting, "MOST_IN_FULL", len(VETERANS) + 2)
    found = fit(sessions, VETERANS, 4)
    assert found.counted.sessions == (*sessions[:100], *sessions[104:])
    assert found.counted.sole == set(GONE[:2])
    monkeypatch.undo()
    expected = fit(found.counted.sessions, VETERANS, 4)
    assert found.scores == pytest.approx(expected.scores, abs=1e-9)


CARDS = {"a": 100, "b": 150, "c": 250}


@pytest.mark.parametrize(
    ("session", "message"),
    [
        ((0, -1, 2, CARDS, {}), "cycle and index count from 0"),
        ((0, 0, 0, CARDS, {}), "has rounds, not 0"),
        ((0, 3, 3, CARDS, {}), r"cycle 0, index 3\): 500 card points in 3 rounds, expected 750"),
        ((0, 0, 1, {"a": 300, "b": -50}, {}), "negative card points of b"),
        ((0, 0, 2, CARDS, {"a": -40}), "negative fault points of a"),
        ((0, 0, 2, CARDS, {"x": 40, "a": 40}), "charges for x, not in its line-up"),
    ],
)
def test_impossible_sessions(
    session: tuple[int, int, int, dict[str, int], dict[str, int]], message: str
) -> None:
    with pytest.raises(SessionResultError, match=message):
        SessionResult(*session)
