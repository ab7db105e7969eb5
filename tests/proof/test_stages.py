"""Contests in stages: who goes on, what is true of them, and errors of rules and scores are found out."""

from __future__ import annotations

import sys
from itertools import combinations
from random import Random

import pytest

from arena.proof.changing import Effects, Entries, Version
from arena.proof.figure import Figure
from arena.proof.ladder import Lives
from arena.proof.staged import Laddered, Staged
from arena.proof.stages import Contenders, Contest, Shares, knocked_out
from arena.proof.study import Study, run_studies
from arena.schedule import seat_orders

HALVING = Shares("halving", "halving")


def figures(study: Study) -> dict[str, Figure]:
    (found,) = run_studies([study], seed=3, jobs=1, league_over=lambda _: None)
    return {figure.key.removeprefix(f"{study.name}."): figure for figure in found.figures}


def contest(gap: float, bots: int = 12, stages: int = 3) -> Contest:
    dice = Random(5)
    entries = Entries.of(dice, [Version(bot, 1, gap * bot, bot) for bot in range(bots)], 4)
    found = Contest(entries, "contest", stages)
    found.stage(range(bots), 4, dice)
    return found


def test_joint_effects_are_part_of_the_truth() -> None:
    """The truth is the mean over all line-ups of whoever is present, computed here one by one."""
    dice = Random(3)
    versions = [Version(bot, 1, dice.gauss(0.0, 4.0), bot) for bot in range(9)]
    entries = Entries.of(dice, versions, 4, effects=Effects(2.0, 0.0, 4.0))
    everybody = entries.truth(range(9))
    spread = 3 * 9 / (4 * 8)
    mean = sum(version.strength for version in versions) / 9
    for version in versions:
        assert everybody[version.name] == pytest.approx(62.5 + spread * (version.strength - mean))
    present = (0, 1, 2, 5, 7)
    own = [version.strength for version in versions]
    sums: dict[int, list[float]] = {bot: [] for bot in present}
    for line_up in combinations(present, 4):
        for row in seat_orders(line_up):
            for bot, level in zip(row, entries.world._levels(row, own), strict=True):
                sums[bot].append(level)
    truth = entries.truth(present)
    for bot, levels in sums.items():
        assert truth[versions[bot].name] == pytest.approx(sum(levels) / len(levels))


def test_stages_are_of_those_who_go_on_and_rules_share_the_first() -> None:
    first = contest(6.0)
    halved, contenders = first.by(HALVING, 4), first.by(Contenders(1), 4)
    assert halved[0] is contenders[0]
    assert [len(stage.present) for stage in halved] == [12, 6, 4]
    assert set(halved[2].present) <= set(halved[1].present)
    assert len(halved[2].sessions) == 16, "as many sessions of a bot as in four balanced cycles"
    assert 4 <= len(contenders[1].present) < 12, "bots that are far behind leave"
    assert 0 in contenders[-1].present
    assert first.by(Contenders(11), 4)[-1].present == tuple(range(12))
    assert [len(stage.present) for stage in first.by(Shares("8", "keep 8", (8,)), 4)] == [12, 8, 8]


def test_a_knock_out_has_tables_of_four_and_one_winner() -> None:
    rounds = knocked_out(contest(30.0).entries, "knock-out", range(12))
    assert [len(bots) for bots in rounds] == [12, 3, 1]
    assert rounds[-1] == [0]


@pytest.mark.slow
def test_the_best_is_kept_and_a_rule_that_cuts_at_random_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = Staged(12, 0.0, (Contenders(1),), 8, "usual", Effects(), stages=2)
    found = figures(study)
    assert found["contenders-1.cut"].holds
    assert found["contenders-1.final.scores"].holds
    assert found["contenders-1.bias"].holds
    assert {"knock-out.cut", "knock-out.champion", "contenders-1.wrong", "contenders-1.first"} <= set(found)
    monkeypatch.setattr(sys.modules["arena.standings.verdicts"], "boundary", lambda *given: 0.5)
    bold = figures(study)
    assert not bold["contenders-1.cut"].holds
    assert not bold["contenders-1.wrong"].holds


def test_an_open_ladder_may_be_the_first_stage() -> None:
    found = figures(Laddered(Lives(start=8), (Contenders(1), HALVING), 2, phases=2, cycles=4))
    assert {"contenders-1.cut", "halving.champion", "contenders-1.final.scores"} <= set(found)
