"""Each study on a few leagues: it gives its figures, it finds out what is broken, and the seed says all."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.proof.__main__ import DOCUMENT, STORED, main
from arena.proof.closed import Closed, Scenario
from arena.proof.excluded import Excluded
from arena.proof.gauntlets import Gauntlet
from arena.proof.opened import Lives, Opened
from arena.proof.played import Played
from arena.proof.stages import RULES, Staged
from arena.proof.study import CLAIMS, NOTHING, Sample, Study, figure_of, run_studies, upper_bound
from arena.proof.tables import filled, markdown
from arena.proof.world import dice_of
from arena.proof.worlds import studies
from arena.schedule import Session
from arena.score.fit import Fit
from arena.score.verdicts import Comparison, Verdict

ROOT = Path(__file__).resolve().parents[2]
SMALL = Closed("closed.small", "small", Scenario(4, (0.0,) * 5, twins=(0, 1)), (10, 30), 8, 4)


def figures(study: Study, jobs: int = 1, seed: int = 3) -> dict[str, float]:
    """The figures of a study by their keys."""
    ((_, found),) = run_studies([study], seed, jobs, lambda _: None)
    return {key: figure["value"] for key, figure in found.items()}


@pytest.mark.parametrize(
    ("times", "count", "bound"), [(0, 100, 0.0295), (3, 100, 0.0757), (50, 1000, 0.0629), (7, 7, 1.0)]
)
def test_the_bound_above_a_share_is_that_of_clopper_and_pearson(times: int, count: int, bound: float) -> None:
    assert upper_bound(times, count) == pytest.approx(bound, abs=5e-5)


def test_a_claim_bounds_the_figure_itself_from_100_leagues_on() -> None:
    hundred, few = replace(SMALL, leagues=100), replace(SMALL, leagues=99)
    at, beyond = figure_of([True] * 5 + [False] * 95), figure_of([True] * 6 + [False] * 94)
    assert hundred.holds("wrong order", at)
    assert not hundred.holds("wrong order", beyond)
    assert few.holds("wrong order", beyond), "so few leagues tell nothing"
    assert hundred.holds("settled", beyond), "nothing is claimed"
    assert figure_of([1.0, 2.0, 3.0, 6.0]) == {
        "value": 3.0,
        "error": pytest.approx((14 / 12) ** 0.5, abs=1e-4),
    }


def test_the_number_of_processes_changes_nothing_and_the_seed_does() -> None:
    alone = figures(SMALL)
    assert figures(SMALL, jobs=2) == alone
    assert figures(SMALL, seed=4) != alone


def test_closed_leagues_give_verdicts_and_coverage() -> None:
    found = figures(replace(SMALL, scenario=Scenario(4, (0.0, 0.0, 3.0, 9.0, 40.0), twins=(0, 1))))
    verdicts = ["wrong order", "same bot separated", "falsely level", "settled", "sessions"]
    assert list(found)[:5] == verdicts
    assert set(found) > {f"{size}: {what}" for size in SMALL.sizes for what in ("has ±", "scores", "±")}
    assert found["sessions"] <= 40
    assert SMALL.claim("30: scores") == CLAIMS["scores"]
    assert SMALL.claim("10: scores") == NOTHING, "nothing is claimed of so few sessions"
    assert (
        replace(SMALL, steady=False).claim("form said to vary") == NOTHING != SMALL.claim("form said to vary")
    )
    assert {replace(SMALL, claims=False).claim(key) for key in found} == {NOTHING}


@pytest.fixture
def bold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every ± is a third of what it is, and every difference is claimed."""
    half = Fit.half_width
    monkeypatch.setattr(Fit, "half_width", lambda self, *bots: 0.3 * (half(self, *bots) or 0.0))
    monkeypatch.setattr(Comparison, "verdict", lambda *_: Verdict.AHEAD)


@pytest.mark.usefixtures("bold")
def test_a_score_that_is_too_bold_would_be_found_out() -> None:
    closed = figures(SMALL)
    assert closed["wrong order"] == closed["same bot separated"] == 1.0
    assert closed["30: scores"] < 0.8
    opened = figures(Opened("open.test", "", Lives(start=8, deviation=0.0), 3, phases=3))
    assert opened["wrong tables"] > 0.9
    assert opened["veterans: scores"] < 0.8
    assert opened["newcomers: differences"] < 0.8
    staged = figures(Staged("stages.test", "", 8, 1.0, 6, stages=3))
    assert staged["contenders 1: best bot cut"] > 0.3
    assert staged["contenders 1: wrong tables"] > 0.3
    assert staged["halving: differences"] < 0.8


def test_bots_come_improve_and_leave() -> None:
    entries, fields = Lives(fresh=True).drawn(dice_of(1), 12)
    assert fields[0] == list(range(12))
    bots = [[entries[i].bot for i in field] for field in fields]
    assert all(len(set(here)) == len(here) for here in bots), "one version of each"
    assert any(set(a) - set(b) for a, b in pairwise(bots))
    assert any(set(b) - set(a) for a, b in pairwise(bots))
    assert any(entry.version > 1 for entry in entries)
    assert {i for field in fields for i in field} == set(range(len(entries)))
    assert [entry.kind for entry in entries] == list(range(len(entries))), "each has effects of its own"


def test_open_seasons_have_newcomers_that_catch_up() -> None:
    study = Opened("open.test", "", Lives(start=8, charged=True, form=2.0), 3, phases=4)
    found = figures(study)
    whose = {
        f"{who}: {what}" for who in ("newcomers", "veterans") for what in ("scores", "differences", "bias")
    }
    assert set(found) == {*whose, "wrong tables", "a season with one"}
    assert study.claim("newcomers: bias") == CLAIMS["bias"]


def test_stages_are_played_by_every_rule() -> None:
    study = Staged("stages.test", "", 12, 8.0, 3, stages=3)
    found = figures(study)
    assert found["halving: finalists"] == 4
    assert found["contenders 3: finalists"] > 8
    assert {key.partition(":")[0] for key in found} == set(RULES)
    assert study.claim("contenders 1: best bot cut") == (0.0, 0.02)
    assert study.claim("halving: best bot cut") == NOTHING


def test_gauntlets_answer_by_the_truth() -> None:
    far = figures(Gauntlet("gauntlet.far", "", 30.0, 4.0, 4))
    assert far["better"] == 1.0
    assert far["sessions"] < 40
    worse = figures(Gauntlet("gauntlet.same", "", 0.0, 30.0, 4, opponents=5, seats=5))
    assert worse["level"] == 1.0
    assert Gauntlet("gauntlet.same", "", 0.0, 4.0, 4).claim("better") == (0.0, 0.05)
    assert Gauntlet("gauntlet.margin", "", 4.0, 4.0, 4).claim("level") == (0.0, 0.1)


def test_bots_within_their_limit_stay_and_broken_ones_are_out_soon() -> None:
    study = Excluded("excluded.test", "", 0.05, 5, sessions=40)
    assert figures(study) == {"any bot out": 0.0}
    assert study.claim("any bot out") == (0.0, 0.01)
    broken = figures(Excluded("excluded.test", "", 1.0, 5, sessions=40, soon=4))
    assert broken == {"late": 0.0, "matches": 16.0}
    assert Excluded("excluded.test", "", 0.5, 5, clustered=True).until_out(dice_of(1)) is not None


def test_real_rounds_are_whole_and_better_bots_take_fewer_points() -> None:
    names = ("sharp", "sharp~50", "low", "any")
    table, session = Played(names, 4, (0.0,) * 4), Session(2, 5, (2, 0, 3, 1))
    results = [table.play(dice_of(seed), [session])[0] for seed in range(6)]
    assert results[0] == table.play(dice_of(0), [session])[0] != results[1]
    assert results[0].key == (2, 5)
    totals = {bot: sum(each.card_points[bot] for each in results) for bot in names}
    assert sorted(names, key=totals.__getitem__) == list(names)
    with pytest.raises(ValueError, match="expected sharp, low or any"):
        Played(("clever", "low", "any", "sharp"), 4, (0.0,) * 4).play(dice_of(1), [session])


# The command


def run(*given: object) -> Result:
    return CliRunner().invoke(main, list(map(str, given)), catch_exceptions=False)


EXCLUDED = ("--quick", "--jobs", 1, "--only", "excluded.10")


def test_findings_are_stored_beside_those_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    for study in ("gauntlet.same", "excluded.10"):
        assert run("--quick", "--jobs", 1, "--leagues", 3, "--only", study, "--into", path).exit_code == 0
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert list(stored) == ["gauntlet.same", "excluded.10"]
    assert (stored["excluded.10"]["seed"], stored["excluded.10"]["leagues"]) == (1, 3)
    assert stored["excluded.10"]["commit"]
    shown = run("tables", "--into", path)
    assert "|24, in 10 %|3|" in shown.output


def test_a_broken_claim_is_named_and_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def out(*_: Any) -> Sample:
        return {"any bot out": True}

    monkeypatch.setattr(Excluded, "sample", out)
    called = run(*EXCLUDED)
    assert called.exit_code == 1
    assert "claimed: 0 to 0.01: DOES NOT HOLD" in called.output
    assert "Claims that do not hold: excluded.10.any bot out" in called.output


def test_a_study_that_does_not_exist_is_refused_with_those_that_do() -> None:
    called = run("--quick", "--only", "clsed")
    assert called.exit_code == 2
    assert "closed.equal" in called.output


def test_the_tables_of_the_documents_are_those_of_what_is_stored() -> None:
    stored = json.loads((ROOT / STORED).read_text(encoding="utf-8"))
    titles = {study.name: study.title for study in studies()}
    assert {name: found["title"] for name, found in stored.items()} == titles, "run what is new or gone"
    document = (ROOT / DOCUMENT).read_text(encoding="utf-8")
    for name, table in markdown(stored).items():
        assert f"<!-- {name} -->\n{table}\n\n" in document, "python -m arena.proof docs"
    assert filled(document, stored) == document
