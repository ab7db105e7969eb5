"""A field that changes: which sessions count, the scores of who is there, and nobody loses by a newcomer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings import SessionResult, fit
from arena.standings.open_field import LEAST_LEFT, OpenFit, counted, open_fit
from arena.standings.quantiles import t_quantile
from tests.examples import examples
from tests.standings import leagues, reference

VETERANS = ["ant@1", "bee@1", "cow@1", "duck@1", "elk@1", "fox@1"]


def season(plan: Sequence[Sequence[str]], seed: int = 1, cycle: int | None = None) -> list[SessionResult]:
    """Sessions of these line-ups, ten to a cycle unless one is given."""
    rng, skill = Random(seed), {}
    for line_up in plan:
        for entry in line_up:
            skill.setdefault(entry, 4.0 * (sum(map(ord, entry)) % 7 - 3))
    return [
        leagues.noisy(rng, (index // 10 if cycle is None else cycle, index), line_up, 16, skill)
        for index, line_up in enumerate(plan)
    ]


def balanced(entries: Sequence[str], sessions: int, seed: int = 1) -> list[list[str]]:
    """Line-ups of four, drawn at random."""
    rng = Random(seed)
    return [rng.sample(list(entries), 4) for _ in range(sessions)]


def test_without_changes_it_is_the_score_of_a_closed_field() -> None:
    sessions = season(balanced(VETERANS, 60))
    found, closed = open_fit(sessions, VETERANS, 4), fit(sessions, VETERANS, 4)
    assert found.scores == pytest.approx(closed.scores, abs=1e-9)
    for entry in VETERANS:
        assert found.standard_error(entry) == pytest.approx(closed.standard_error(entry), abs=1e-9)
    assert found.pair_se("ant@1", "elk@1") == pytest.approx(closed.pair_se("ant@1", "elk@1"), abs=1e-9)


def test_sessions_with_two_departed_entries_are_left_out() -> None:
    gone = ["old@1", "off@1"]
    both = season([["old@1", "off@1", "ant@1", "bee@1"]] * 3, 3, 9)
    one = season([*balanced(VETERANS, 30), *[["old@1", *VETERANS[:3]], ["off@1", *VETERANS[3:]]] * 4])
    found, without = open_fit([*one, *both], VETERANS, 4), open_fit(one, VETERANS, 4)
    assert found.scores == without.scores
    assert found.covariance == without.covariance
    expected = reference.scores(one, [*VETERANS, *gone], 4, gone)
    for entry, score in zip([*VETERANS, *gone], expected, strict=True):
        assert found.scores[entry] == pytest.approx(float(score), abs=1e-9)
    back = counted([*one, *both], [*VETERANS, "old@1"])
    assert len(back.sessions) == len(one) + 3, "as soon as one of the two is back, they count again"


def test_the_present_field_averages_par() -> None:
    plan = [*balanced([*VETERANS, "old@1"], 40), *balanced([*VETERANS, "new@1"], 30)]
    found = open_fit(season(plan), [*VETERANS, "new@1"], 4)
    assert sum(found.fap[entry] for entry in found.bots) / 7 == pytest.approx(62.5, abs=1e-9)
    assert set(found.bots) == {*VETERANS, "new@1"}
    assert "old@1" in found.scores
    assert found.half_width("old@1") is None
    assert found.standard_error("old@1") is None
    assert found.pair_half_width("old@1", "ant@1") is None


def test_a_newcomer_waits_until_it_has_two_sessions_and_nobody_loses_by_it() -> None:
    plan = balanced(VETERANS, 40)
    before = open_fit(season(plan), VETERANS, 4)
    first = [["new@1", *VETERANS[:3]]]
    with_one = open_fit(season([*plan, *first]), [*VETERANS, "new@1"], 4)
    assert with_one.scores == before.scores
    assert with_one.covariance == before.covariance
    assert with_one.counted.waiting == ("new@1",)
    assert with_one.sessions["new@1"] == 1
    assert with_one.half_width("new@1") is None
    with_two = open_fit(season([*plan, *first, ["new@1", *VETERANS[2:5]]]), [*VETERANS, "new@1"], 4)
    assert with_two.counted.waiting == ()
    assert with_two.half_width("new@1") is not None


newcomers = st.lists(
    st.lists(
        st.sampled_from([*VETERANS, "new@1", "now@1", "nut@2", "old@1", "off@3"]),
        min_size=4,
        max_size=4,
        unique=True,
    ),
    max_size=8,
)


@examples(40)
@given(newcomers, st.integers(0, 9))
@pytest.mark.slow
def test_no_session_of_newcomers_takes_a_score_or_an_interval_from_the_field(
    plan: list[list[str]], seed: int
) -> None:
    field = [*VETERANS, "new@1", "now@1", "nut@2"]
    sessions = season([*balanced(VETERANS, 30, seed), *plan], seed)
    found = open_fit(sessions, field, 4)
    for entry in VETERANS:
        assert entry in found.scores
        assert found.half_width(entry) is not None
    for entry in ("new@1", "now@1", "nut@2"):
        assert (entry in found.scores) == (found.half_width(entry) is not None)
    # The jackknife is that of real refits, whatever the shape: a session of the chosen ones may be deleted.
    names = [*found.counted.present, *found.counted.departed]
    refits = reference.covariance(found.counted.sessions, names, 4, found.counted.departed)
    assert found.covariance is not None
    for i, row in enumerate(found.covariance):
        assert row[i] == pytest.approx(float(refits[i][i]), rel=1e-6, abs=1e-9)


def test_entries_that_hang_on_by_one_session_wait_and_the_others_keep_their_interval() -> None:
    """Two newcomers met only each other's tables: one session holds both of them to the field."""
    strangers = [["new@1", "now@1", "nut@1", "owl@1"]] * 3
    plan = [*balanced(VETERANS, 30), *strangers, ["new@1", *VETERANS[:3]]]
    found = open_fit(season(plan), [*VETERANS, "new@1", "now@1", "nut@1", "owl@1"], 4)
    assert found.bots == tuple(VETERANS)
    assert found.counted.waiting == ("new@1", "now@1", "nut@1", "owl@1")
    assert found.scores == open_fit(season(plan)[:30], VETERANS, 4).scores


def test_who_has_too_few_sessions_because_rivals_left_is_marked() -> None:
    gone = [f"gone{number}@1" for number in range(4)]
    with_rivals = [[gone[index % 4], gone[(index + 1) % 4], "ant@1", "bee@1"] for index in range(16)]
    later = [list(line_up) for line_up in combinations(VETERANS, 4)]
    plan = [*with_rivals, *later, ["new@1", *VETERANS[:3]]]
    chosen = counted(season(plan), [*VETERANS, "new@1"])
    assert all(chosen.played[entry] >= 16 > chosen.eligible[entry] for entry in chosen.too_few_opponents)
    assert chosen.too_few_opponents == ("ant@1", "bee@1")
    everybody = counted(season(plan), [*VETERANS, "new@1", *gone])
    assert everybody.too_few_opponents == ()


def test_degrees_of_freedom_are_those_of_the_entry_and_of_the_one_with_fewer_sessions() -> None:
    plan = [*balanced(VETERANS, 40), *[["new@1", *VETERANS[index % 4 : index % 4 + 3]] for index in range(5)]]
    sessions = season(plan, cycle=0)  # one cycle: nothing is known of form
    found = open_fit(sessions, [*VETERANS, "new@1"], 4)
    assert not found.protected
    assert found.covariance is not None
    rows = [
        [one + more for one, more in zip(*both, strict=True)]
        for both in zip(found.covariance, found.by_meetings, strict=True)
    ]
    new, fox = found.bots.index("new@1"), found.bots.index("fox@1")
    assert found.half_width("new@1") == pytest.approx(t_quantile(0.975, 4) * sqrt(rows[new][new]))
    pair = t_quantile(0.975, 4) * sqrt(rows[new][new] + rows[fox][fox] - 2.0 * rows[new][fox])
    assert found.pair_half_width("fox@1", "new@1") == pytest.approx(pair)
    assert found.clock("fox@1", "new@1") == pytest.approx(2 / (1 / 5 + 1 / found.sessions["fox@1"]))


def test_the_correction_by_meetings_never_takes_more_than_half_and_verdicts_only_grow_by_it() -> None:
    found = open_fit(season(balanced(VETERANS, 40), cycle=0), VETERANS, 4)  # nothing is known of form
    assert found.covariance is not None
    size = len(VETERANS)
    none = [[0.0] * size for _ in range(size)]
    less = [[-1e6 * (i == j) for i in range(size)] for j in range(size)]
    more = [[4.0 * row[i] * (i == j) for j in range(size)] for i, row in enumerate(found.covariance)]
    usual, smaller, larger = (replace(found, by_meetings=rows) for rows in (none, less, more))
    a, b = VETERANS[:2]
    assert (smaller.half_width(a) or 0.0) == pytest.approx(sqrt(LEAST_LEFT) * (usual.half_width(a) or 0.0))
    assert (larger.half_width(a) or 0.0) > 1.5 * (usual.half_width(a) or 0.0)
    assert smaller.verdict_se(a, b) == usual.verdict_se(a, b)
    assert (larger.verdict_se(a, b) or 0.0) > (usual.verdict_se(a, b) or 0.0)


def test_too_few_entries_have_plain_means() -> None:
    empty = open_fit([], VETERANS, 4)
    assert not empty.comparable
    assert empty.scores == {}
    assert empty.sessions == dict.fromkeys(VETERANS, 0)
    assert empty.half_width("ant@1") is None
    once = season([VETERANS[:4]])
    found = open_fit(once, VETERANS, 4)
    assert not found.comparable
    assert found.fap["ant@1"] == once[0].card_points["ant@1"] / 16
    assert found.varying == {}


@examples(10)
@given(st.randoms(use_true_random=False))
def test_no_order_changes_a_single_bit(rng: Random) -> None:
    sessions = season([*balanced([*VETERANS, "old@1"], 30), *balanced([*VETERANS, "new@1"], 20)])
    field = [*VETERANS, "new@1"]
    expected = open_fit(sessions, field, 4)
    shuffled = [
        leagues.session(s.key, s.rounds, dict(rng.sample(list(s.card_points.items()), 4)), s.fault_points)
        for s in rng.sample(sessions, len(sessions))
    ]
    assert open_fit(shuffled, rng.sample(field, len(field)), 4) == expected


def drifting(deviation: float, seed: int, cycles: int = 10) -> OpenFit:
    """Six equal entries whose form is drawn anew for every cycle of 15 sessions."""
    rng, sessions = Random(seed), []
    for cycle in range(cycles):
        form = {entry: rng.gauss(0, deviation) for entry in VETERANS}
        for index, line_up in enumerate(balanced(VETERANS, 15, rng.randrange(10**6))):
            sessions.append(leagues.noisy(rng, (cycle, index), line_up, 16, form))
    return open_fit(sessions, VETERANS, 4)


def test_form_from_cycle_to_cycle_makes_intervals_wider() -> None:
    steady, wild = drifting(0.0, 1), drifting(30.0, 1)
    assert steady.protected
    assert wild.protected
    for found, least in ((steady, 0.9), (wild, 1.5)):
        for entry in VETERANS:
            alone = t_quantile(0.975, found.sessions[entry] - 1) * (found.standard_error(entry) or 0.0)
            assert (found.half_width(entry) or 0.0) >= least * alone
    assert wild.varying
    assert (wild.verdict_se("ant@1", "bee@1") or 0.0) > 1.5 * (wild.pair_se("ant@1", "bee@1") or 0.0)
    assert wild.doubt_of("ant@1", "bee@1").ratio > 2.0
