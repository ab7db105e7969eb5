"""Open seasons: who is in them, what is true of them, and that errors in score and verdicts are found out."""

from __future__ import annotations

import sys
from itertools import pairwise
from random import Random

import pytest

from arena.proof.changing import Entries, OpenSeason, Version
from arena.proof.figure import Figure
from arena.proof.ladder import Ladder, Lives, wrong_order
from arena.proof.study import Study, run_studies
from arena.proof.world import Faults
from arena.standings import Look
from arena.standings.open_field import OpenFit, open_fit
from arena.standings.open_look import open_judged


def figures(study: Study) -> dict[str, Figure]:
    (found,) = run_studies([study], seed=3, jobs=1, league_over=lambda _: None)
    return {figure.key.removeprefix(f"{study.name}."): figure for figure in found.figures}


def test_bots_come_improve_and_leave() -> None:
    versions, fields = Lives().drawn(Random(1), 12)
    assert fields[0] == list(range(12))
    assert len(fields) == 12
    present = [{versions[i].bot for i in field} for field in fields]
    assert all(len(bots) == len(field) for bots, field in zip(present, fields, strict=True)), (
        "one version each"
    )
    assert any(version.number > 1 for version in versions)
    assert any(before - after for before, after in pairwise(present))
    assert any(after - before for before, after in pairwise(present))
    assert {i for field in fields for i in field} == set(range(len(versions)))
    assert len({version.name for version in versions}) == len(versions)


def test_a_season_converges_to_its_truth_whoever_left() -> None:
    """Strengths, effects on one another and charges: after many cycles scores are near the truth."""
    dice = Random(2)
    versions = [Version(bot, 1, 4.0 * bot, bot) for bot in range(9)]
    entries = Entries.of(dice, versions, 4, faults={0: Faults(0.5, 40)})
    season = OpenSeason(entries, "season", dice)
    for present, cycles in (([*range(8)], 4), ([*range(1, 9)], 60)):
        ends = list(season.phase(present, cycles))
    assert ends[-1] == 65, "a newcomer has a block to catch up, which counts as a cycle"
    assert len(season.phases[1].owed) == 1
    truth = entries.truth(range(1, 9))
    found = open_fit(season.results, list(truth), 4)
    for entry, expected in truth.items():
        assert abs(found.scores[entry] - expected) < 4.0
    charged = entries.truth(range(8))
    assert sum(charged.values()) / 8 == pytest.approx(62.5 + 0.5 * 40 / 4 / 8)


def test_a_wrong_order_is_seen() -> None:
    dice = Random(4)
    entries = Entries.of(dice, [Version(bot, 1, 15.0 * bot, bot) for bot in range(6)], 4)
    season = OpenSeason(entries, "season", dice)
    assert list(season.phase(range(6), 16))[-1] == 16
    found = open_judged(16, open_fit(season.results, entries.names, 4), entries.names, 2.0)
    assert isinstance(found, Look)
    truth = entries.truth(range(6))
    assert not wrong_order(found, truth)
    assert wrong_order(found, {entry: -points for entry, points in truth.items()})


def test_intervals_and_verdicts_that_are_too_bold_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    half = OpenFit.half_width
    monkeypatch.setattr(OpenFit, "half_width", lambda self, bot: 0.3 * (half(self, bot) or 0.0))
    monkeypatch.setattr(sys.modules["arena.standings.open_look"], "boundary", lambda *given: 1.0)
    found = figures(Ladder("small", "a small one", Lives(start=8, deviation=0.0), 3, 3, 6))
    assert set(found) == {
        *("newcomers", "newcomers.differences", "newcomers.bias"),
        *("veterans", "veterans.differences", "veterans.bias", "wrong", "ever"),
    }
    assert not found["veterans"].holds
    assert not found["newcomers"].holds
    assert not found["wrong"].holds
