"""Leagues can be shared among processes, and nothing but the seed changes what is found."""

from __future__ import annotations

from collections import Counter

from arena.proof import full_studies, quick_studies, run_studies
from arena.proof.coverage import Coverage
from arena.proof.scenario import League, Scenario
from arena.proof.text import findings_data

FIELD = Scenario("small", "4 bots, 3 seats", 3, (-6.0, -1.0, 2.0, 5.0), lost=0.2)


def data(seed: int, jobs: int) -> dict[str, object]:
    count = Counter[str]()
    found = list(run_studies([Coverage(FIELD, (4,), 8)], seed, jobs, lambda n: count.update(leagues=n)))
    assert count["leagues"] == 8
    return findings_data(found, seed)


def test_processes_change_nothing_and_the_seed_does() -> None:
    alone = data(1, 1)
    assert data(1, 2) == alone
    assert data(2, 1)["studies"] != alone["studies"]


def test_both_proofs_ask_every_question_of_enough_leagues() -> None:
    for studies in (quick_studies(), full_studies()):
        names = [study.name for study in studies]
        assert len(set(names)) == len(names)
        asked = {name.partition(".")[0] for name in names}
        assert asked == {"coverage", "order", "alarm", "gauntlet", "excluded", "ladder", "stages"}
        assert all(study.leagues >= 40 for study in studies)
        assert all(study.resized(41).leagues == 41 for study in studies)


def test_lost_sessions_are_not_played_and_not_waited_for() -> None:
    league = League(FIELD, 1, 0)
    plan = league.plan(10)
    assert 0 < len(plan.left_out) < 20
    played = {session.key for cycle in league.sessions(league.world(), plan) for session in cycle}
    assert not played & plan.left_out
    assert len(played | plan.left_out) == 40
