"""The benchmark plays real matches and adds up; how fast this machine is, is not tested."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.bench import Figure, Measure, Options, Report, Section, report_data, report_text, run
from arena.bench.figures import ratio, sections
from arena.bench.live import Live, Seated
from arena.bench.parts import Parts
from arena.bench.programs import find_programs
from arena.bench.raw import RoundTrips
from arena.bench.stored import Stored
from arena.cli.workshop.bench import bench
from arena.errors import UsageError

pytestmark = pytest.mark.slow

TURN = Measure("turn", "turn", "us")
RATE = Measure("rate", "rate", "", more_is_better=True)


class Counting:
    """A probe that tells which sample of the whole run it is."""

    measures = (TURN, RATE)
    title = "Counting"

    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self._log = log

    def sample(self) -> dict[str, float]:
        self._log.append(self.name)
        return {TURN.key: len(self._log), RATE.key: len(self._log)}


def test_probes_take_turns() -> None:
    log: list[str] = []
    turns: list[int] = []
    measured = sections([Counting("a", log), Counting("b", log)], 3, turns.append)
    assert log == ["a", "b"] * 3
    assert turns == [0, 1, 2]
    assert [section.figure("turn").samples for section in measured] == [(1, 3, 5), (2, 4, 6)]


def test_the_best_sample_is_the_least_disturbed() -> None:
    assert Figure(TURN, (3, 1, 2)).best == 1
    assert Figure(RATE, (3, 1, 2)).best == 3
    assert Figure(RATE, (3, 1, 2)).median == 2


def test_ratios_are_taken_turn_by_turn() -> None:
    times = ratio(TURN, Figure(TURN, (10, 40)), Figure(TURN, (5, 10)))
    assert times.samples == (2, 4)


def test_a_section_knows_its_figures_only() -> None:
    section = Section("s", "S", (Figure(TURN, (1,)),))
    with pytest.raises(KeyError):
        section.figure("rate")


@pytest.mark.parametrize("wrong", [{"seats": 2}, {"seats": 9}, {"repeats": 0}, {"sessions": 0}])
def test_what_cannot_be_measured_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=r"expected (3 to 8|at least 1)"):
        Options(**wrong)


def test_a_core_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"core 9999 cannot be used here; these can: \d"):
        run(Options(core=9999))


def really_measured(test: Callable[..., None]) -> Callable[..., None]:
    """With the report of a whole run, which one worker makes."""
    marked: Callable[..., None] = pytest.mark.slow(pytest.mark.xdist_group("bench")(test))
    return marked


@pytest.mark.slow
def test_a_probe_of_every_kind_measures(tmp_path: Path) -> None:
    language = find_programs(tmp_path).languages[0]
    parts = Parts(3, 1, None)
    with ExitStack() as stack:
        table = stack.enter_context(Live(Seated(language, 3, None), 1))
        trips = stack.enter_context(RoundTrips(language, parts.sizes, 5, None))
        store = stack.enter_context(
            Stored(language.name, 3, language.sessions_a_commit, tmp_path / "store.db")
        )
        found = sections([table, trips, store, parts], 1, lambda turn: None)
    figures = [figure for section in found for figure in section.figures]
    assert len(figures) > 10
    assert all(figure.median > 0 for figure in figures)
    (memory,) = (figure.median for figure in figures if figure.measure.key == "bot_kib")
    assert memory > 5000, "it is Python's, and not that of what is around it"


@pytest.fixture(scope="module")
def tiny() -> Report:
    """One short sample of everything, with the smallest table."""
    done = [0.0]
    report = run(Options(seats=3, repeats=1, sessions=1, round_trips=20, tables=(1, 2)), done.append)
    assert done == sorted(set(done))
    assert done[-1] == 1
    return report


@really_measured
def test_every_figure_of_a_run_is_a_positive_number(tiny: Report) -> None:
    figures = [figure for section in measured(tiny) for figure in section.figures]
    assert len(figures) > 30
    for figure in figures:
        assert len(figure.samples) == 1
        assert figure.median == figure.best > 0, figure.measure.key


def measured(report: Report) -> tuple[Section, ...]:
    return (*report.sections, *report.crowds, report.ratios)


@really_measured
def test_the_parts_of_a_decision_make_up_the_whole(tiny: Report) -> None:
    """The remainder is what is left, so it may be below nothing where the machine was busy in between."""
    assert [profile.name for profile in tiny.profiles] == [
        f"profile_{section.name}" for section in tiny.sections if section.name.startswith("table_")
    ]
    for profile in tiny.profiles:
        whole, *parts, store, share = profile.figures
        assert sum(part.median for part in parts) == pytest.approx(whole.median)
        assert share.median == pytest.approx(store.median / whole.median)


@really_measured
def test_many_tables_are_measured_pinned_and_not(tiny: Report) -> None:
    languages = ["python", "c"][: len(tiny.profiles)]
    assert [section.name for section in tiny.crowds] == [
        f"{what}_{language}_{how}"
        for language in languages
        for how in ("pinned", "unpinned")
        for what in (["tables", "shared"] if language == "python" else ["tables"])
    ]
    keys = [figure.measure.key for figure in tiny.crowds[0].figures]
    each = ("decisions_per_s", "rounds_per_s", "referee_cpu_us", "referee_cpu_ratio")
    assert keys == [f"{name}_{tables}" for tables in (1, 2) for name in each] + ["referee_kib"]
    for section in tiny.crowds:
        decisions, rounds = section.figure("decisions_per_s_2"), section.figure("rounds_per_s_2")
        assert decisions.median / rounds.median == pytest.approx(3 * 21)


@really_measured
def test_two_referees_are_compared_with_one_where_there_are_two_cores(tiny: Report) -> None:
    pairs = [section for section in tiny.sections if section.name == "jobs"]
    assert len(pairs) == (len(os.sched_getaffinity(0)) > 1)
    for section in pairs:
        one, two, times, counting_times, of_two = (figure.median for figure in section.figures)
        assert times == pytest.approx(two / one)
        assert of_two == pytest.approx(2 * times / counting_times)


@pytest.mark.parametrize("tables", [(0,), (2, 1), (1, 1)])
def test_tables_that_are_no_ascending_numbers_are_refused(tables: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="expected ascending numbers from 1 on"):
        Options(tables=tables)


@really_measured
def test_figures_of_a_table_agree_with_each_other(tiny: Report) -> None:
    table = next(section for section in tiny.sections if section.name == "table_python")
    decisions = table.figure("decisions_per_s").median
    assert decisions * table.figure("decision_us").median == pytest.approx(1e6)
    # Three seats: a pass and twenty cards each.
    assert decisions / table.figure("rounds_per_s").median == pytest.approx(3 * 21)


@really_measured
def test_c_is_measured_where_it_can_be_compiled(tiny: Report) -> None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    names = {section.name for section in tiny.sections}
    assert ("table_c" in names) is (compiler is not None)
    assert bool(tiny.missing) is (compiler is None)


@really_measured
def test_the_text_shows_the_machine_and_every_figure(tiny: Report) -> None:
    text = report_text(tiny)
    assert text.startswith(str(tiny.machine))
    for section in (*tiny.sections, *tiny.profiles, tiny.ratios):
        assert section.title in text
        assert all(figure.measure.label in text for figure in section.figures)
    assert all(section.title in text for section in tiny.crowds)


@really_measured
def test_the_data_hold_every_sample(tiny: Report) -> None:
    data = json.loads(json.dumps(report_data(tiny)))
    assert data["options"]["seats"] == 3
    table = data["figures"]["table_python"]
    assert table["decisions_per_s"]["samples"] == [table["decisions_per_s"]["median"]]
    assert set(data["ratios"]) == {figure.measure.key for figure in tiny.ratios.figures}


def test_the_command_refuses_in_words() -> None:
    result = CliRunner().invoke(bench, ["--seats", "2"])
    assert isinstance(result.exception, UsageError)
    assert "expected 3 to 8" in str(result.exception)


@really_measured
@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("", (1, 2, 4, 8, 32)),
        ("--tables 64", (1, 2, 4, 8, 32, 64)),
        ("--tables 8", (1, 2, 4, 8)),
        ("--quick --tables 3", (1, 3)),
        ("--seats 8", (1, 2, 4, 8)),
    ],
)
def test_how_many_tables_at_once_is_said_or_has_room(
    said: str, numbers: tuple[int, ...], tiny: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Options] = []

    def measured(options: Options, progress: object) -> Report:
        asked.append(options)
        return tiny

    monkeypatch.setattr("arena.bench.run", measured)
    assert CliRunner().invoke(bench, said.split()).exit_code == 0
    assert [options.tables for options in asked] == [numbers]
