"""Which rule scores which sessions, who is ranked, which claims stand, and how a league came to stand so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.score.fit import Fit, fit
from arena.score.paired import duel, paired_means
from arena.score.scoring import Scoring
from arena.score.table import Plan
from arena.score.verdicts import Look, look
from tests.score import leagues
from tests.score.test_paired import dueled, session

SESSIONS, BOTS = leagues.complete(5, 6, 4, 4, {f"bot{number:02}": 9.0 * number for number in range(6)})
RESULTS = [replace(one, index=one.index % 15) for one in SESSIONS]
SCORING = Scoring(tuple(BOTS), 4, plan=Plan(15, 4), margin=2.0)


def seen(scoring: Scoring) -> Look:
    found = scoring.look(RESULTS)
    assert isinstance(found, Look)
    return found


def test_which_rule_scores_which_sessions() -> None:
    assert SCORING.fit(RESULTS) == fit(RESULTS, BOTS, 4)
    assert replace(SCORING, departed=frozenset({"bot01"})).fit(RESULTS) == fit(
        RESULTS, [BOTS[0], *BOTS[2:]], 4
    )
    assert replace(SCORING, present=frozenset(BOTS[:4])).fit(RESULTS) == fit(RESULTS, BOTS[:4], 4)
    duels = [dueled(i, 900 + i) for i in range(4)]
    assert Scoring(("a", "b"), 4).fit(duels) == duel(duels, "ab", 4)
    turns = [session(i, (900, 800 + i)) for i in range(4)]
    assert Scoring(("new", "old", *"xyz"), 4).fit(turns) == paired_means(turns, ["new", "old", *"xyz"], 4)


def test_only_entrants_are_ranked_and_all_who_began_share_the_error() -> None:
    scoring = replace(SCORING, house=frozenset({"bot01"}), disqualified=frozenset({"bot02"}))
    assert scoring.entrants == ("bot00", "bot02", "bot03", "bot04", "bot05")
    board, ranked = scoring.standings(RESULTS), ["bot00", "bot03", "bot04", "bot05"]
    assert [row.bot for row in board.house] == ["bot01"]
    assert [row.bot for row in board.rows if row.disqualified] == ["bot02"]
    assert seen(scoring) == look(fit(RESULTS, BOTS, 4), ranked, 4, 2.0, began=5)
    assert not seen(replace(scoring, present=frozenset(BOTS))).final


def test_a_stand_in_takes_part_once_it_has_sat() -> None:
    scoring = replace(SCORING, bots=(*BOTS, "stand-in"), stand_ins=frozenset({"stand-in"}))
    assert scoring.standings(RESULTS) == SCORING.standings(RESULTS)
    points = dict(RESULTS[0].card_points)
    points["stand-in"] = points.pop("bot00")
    seated = [replace(RESULTS[0], card_points=points, fault_points={}), *RESULTS[1:]]
    assert [row.bot for row in scoring.standings(seated).house] == ["stand-in"]


def test_claims_stand_until_form_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    scoring = replace(SCORING, claimed=frozenset({("bot05", "bot00")}))
    assert ("bot05", "bot00") in seen(scoring).ahead
    monkeypatch.setattr(Fit, "form_lasts", True)
    assert seen(scoring).ahead == seen(SCORING).ahead


@pytest.mark.parametrize(("most", "cycles"), [(9, [1, 2, 3, 4]), (3, [1, 3, 4]), (2, [1, 4])])
def test_the_course_is_the_league_cut_after_complete_cycles(most: int, cycles: list[int]) -> None:
    lines = list(SCORING.lines([*RESULTS, replace(RESULTS[0], cycle=4)], most))
    assert [count for count, _ in lines] == cycles
    assert all(one == SCORING.standings(RESULTS[: 15 * count]) for count, one in lines)
