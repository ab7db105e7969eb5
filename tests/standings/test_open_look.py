"""Verdicts on a changing field: the clock of a pair, versions, who is compared; who goes on after a stage."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from arena.standings import NoLook, Plan, SessionResult, Verdict
from arena.standings.boundary import TUNED_FOR_PAIRS, boundary
from arena.standings.contenders import error_of_cut, going_on
from arena.standings.open_field import open_fit
from arena.standings.open_look import OpenLook, open_look, share_of_versions, version_of
from tests.standings import leagues

FIELD = ["ant@1", "bee@1", "cow@2", "duck@1", "elk@3", "fox@1"]
SKILL = {entry: 8.0 * place for place, entry in enumerate(FIELD)}
PLAN = Plan(15, 12)


def season(cycles: int = 8, skill: dict[str, float] | None = None, seed: int = 1) -> list[SessionResult]:
    rng = Random(seed)
    given = dict.fromkeys(FIELD, 0.0) | (SKILL if skill is None else skill)
    return [
        leagues.noisy(rng, (cycle, index), line_up, 16, given)
        for cycle in range(cycles)
        for index, line_up in enumerate(combinations(FIELD, 4))
    ]


def taken(found: OpenLook | NoLook) -> OpenLook:
    assert isinstance(found, OpenLook), found
    return found


def test_every_verdict_follows_from_the_clock_of_the_pair_and_its_versions() -> None:
    sessions, margin = season(), 9.0
    found = taken(open_look(sessions, FIELD, FIELD, 4, PLAN, margin))
    whole = open_fit(sessions, FIELD, 4)
    assert [(pair.better, pair.worse) for pair in found.pairs] == list(combinations(found.bots, 2))
    assert len({pair.verdict for pair in found.pairs}) > 1
    for pair in found.pairs:
        two = pair.better, pair.worse
        v, w = version_of(pair.better), version_of(pair.worse)
        error = 0.05 / 15 / (v * (v + 1) * w * (w + 1))
        u = boundary(whole.clock(*two), error, whole.doubt_of(*two), TUNED_FOR_PAIRS)
        se = whole.verdict_se(*two)
        assert se is not None
        assert (pair.verdict is Verdict.AHEAD) == (pair.difference > u * se)
        assert (pair.more_sessions is None) or pair.verdict is Verdict.OPEN
    assert found.protected
    assert not found.settled


def test_the_shares_of_all_versions_add_up_to_one() -> None:
    shares = [share_of_versions(f"a@{v}", f"b@{w}") for v in range(1, 300) for w in range(1, 300)]
    assert sum(shares) == pytest.approx(1.0, abs=0.01)
    assert sum(shares) < 1.0
    assert share_of_versions("a", "b@1") == 0.25
    for wrong in ("a@", "a@0", "a@x"):
        with pytest.raises(ValueError, match="expected bot@number"):
            version_of(wrong)


def test_a_newcomer_is_compared_from_16_counted_sessions_on() -> None:
    sessions = season()
    field = [*FIELD, "new@1"]

    def with_newcomer(count: int) -> list[SessionResult]:
        rng = Random(2)
        skill = SKILL | {"new@1": 60.0}
        line_ups = [["new@1", *rng.sample(FIELD, 3)] for _ in range(count)]
        return [*sessions, *(leagues.noisy(rng, (8, i), each, 16, skill) for i, each in enumerate(line_ups))]

    few = taken(open_look(with_newcomer(15), field, field, 4, replace(PLAN, sizes={8: 15}), 2.0))
    assert few.waiting == ("new@1",)
    assert "new@1" not in few.ranks
    assert few.ranks["ant@1"][1] <= 7
    assert few.ranks["fox@1"][1] == 7, "who waits may have any place"
    enough = taken(open_look(with_newcomer(16), field, field, 4, replace(PLAN, sizes={8: 16}), 2.0))
    assert enough.waiting == ()
    assert "new@1" in enough.ranks


def test_the_error_is_that_of_the_places_of_the_field() -> None:
    sessions = season()
    ranked = FIELD[:4]
    found = taken(open_look(sessions, FIELD, ranked, 4, PLAN, 2.0))
    assert set(found.bots) == set(ranked), "house bots are in the field without a place"
    fit = found.fit
    assert found.boundary == pytest.approx(
        boundary(fit.sessions["ant@1"], 0.05 / 6 / 4, tuned=TUNED_FOR_PAIRS), rel=0.2
    )


def test_a_verdict_lapses_when_rivals_leave_and_returns_with_them() -> None:
    sessions = season(4)
    ahead = {("ant@1", "fox@1")}
    before = taken(open_look(sessions, FIELD, FIELD, 4, PLAN, 2.0))
    assert ahead <= {(p.better, p.worse) for p in before.pairs if p.verdict is Verdict.AHEAD}
    left = ["ant@1", "fox@1", "bee@1"]  # a session of theirs with only one departed entry: 3 in 15
    assert open_fit(sessions, left, 4).session_count == 12
    assert isinstance(open_look(sessions, left, left, 4, PLAN, 2.0), NoLook)
    assert open_look(sessions, FIELD, FIELD, 4, PLAN, 2.0) == before


def test_why_there_is_no_look() -> None:
    sessions = season()
    early = open_look([s for s in sessions if s.cycle < 2], FIELD, FIELD, 4, PLAN, 2.0)
    assert early == NoLook("verdicts need 3 complete cycles; so far there are 2")
    assert isinstance(open_look(sessions, FIELD, FIELD[:1], 4, PLAN, 2.0), NoLook)
    strangers = [f"new{number}@1" for number in range(4)]
    assert isinstance(open_look(sessions, strangers, strangers, 4, PLAN, 2.0), NoLook)
    few = open_look(sessions, [*strangers, "ant@1", "bee@1"], [*strangers, "ant@1"], 4, PLAN, 2.0)
    assert isinstance(few, NoLook)


def test_a_look_without_enough_cycles_of_each_says_that_form_is_not_allowed_for() -> None:
    """Everybody resubmitted: three cycles are over, but each entry has played in one of them."""
    rng, first = Random(5), season(2)
    now = [f"{entry.partition('@')[0]}@9" for entry in FIELD]
    skill = {entry: 20.0 * place for place, entry in enumerate(now)}
    fresh = [
        leagues.noisy(rng, (2, index), line_up, 16, skill)
        for index, line_up in enumerate([*combinations(now, 4)] * 3)
    ]
    found = taken(open_look([*first, *fresh], now, now, 4, replace(PLAN, sizes={2: 45}), 2.0))
    assert not found.protected
    assert any(pair.verdict is Verdict.AHEAD for pair in found.pairs)


def test_contenders_cut_who_is_behind_so_many_and_never_below_the_seats() -> None:
    ranked = tuple(FIELD)
    found = taken(open_look(season(12), FIELD, FIELD, 4, PLAN, 2.0))
    behind = {bot: found.ranks[bot][0] - 1 for bot in FIELD}
    assert max(behind.values()) >= 3
    for contenders in (1, 2, 3):
        kept = going_on(found, ranked, contenders, 1)
        assert kept == tuple(bot for bot in FIELD if behind[bot] < contenders)
        assert kept
    assert going_on(found, ranked, 1, 4) == tuple(
        bot for bot in FIELD if bot in sorted(FIELD, key=lambda bot: (behind[bot], found.bots.index(bot)))[:4]
    )
    assert going_on(NoLook("too early"), ranked, 1, 4) == ranked
    assert going_on(found, (*ranked, "new@1"), 1, 1)[-1] == "new@1", "nobody is cut without a comparison"


def test_the_error_of_a_cut() -> None:
    assert error_of_cut(1, 24) == 0.05 / 23
    assert error_of_cut(3, 24) == pytest.approx(0.15 / 23)
    assert error_of_cut(3, 24, cuts=3) == pytest.approx(0.05 / 23)
    assert error_of_cut(9, 4) == 0.05
    with pytest.raises(ValueError, match="0 contenders"):
        error_of_cut(0, 24)
