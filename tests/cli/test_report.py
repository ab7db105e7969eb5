"""`arena report`."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.pages import report_options
from arena.league.model import ReportSection
from reports import Publish, Replays, Reveal
from tests.cli.calling import Arena


def test_it_writes_the_pages_and_says_where(arena: Arena, stopped: Path) -> None:
    called = arena("report", stopped)
    index = stopped.parent / "spring-report" / "index.html"
    assert called.code == 0
    assert called.out == f"{index}\n"
    assert "Spring league" in index.read_text(encoding="utf-8")
    again = arena("report", stopped)
    assert again.err.startswith("0 files written")


def test_another_folder(arena: Arena, stopped: Path, tmp_path: Path) -> None:
    called = arena("report", stopped, "-o", tmp_path / "public" / "spring")
    assert called.code == 0
    assert (tmp_path / "public" / "spring" / "index.html").exists()
    assert not (stopped.parent / "spring-report").exists()


def test_a_folder_that_cannot_be_written(arena: Arena, stopped: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    called = arena("report", stopped, "-o", tmp_path / "taken" / "pages")
    assert called.code == 2
    assert "The pages cannot be written" in called.err
    assert called.out == ""


def test_the_browser_is_opened_on_request(
    arena: Arena, stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def launch(url: str) -> int:
        opened.append(url)
        return 0

    monkeypatch.setattr("click.launch", launch)
    arena("report", stopped)
    assert opened == []
    called = arena("report", stopped, "--open")
    assert opened == [str((stopped.parent / "spring-report" / "index.html").resolve())]
    assert "no browser" not in called.err


def test_the_options_are_those_of_the_league_file() -> None:
    section = ReportSection(folder="pages", replays="none", publish=("stderr", "commands"), reveal="finished")
    options = report_options(section)
    assert options.publish == {Publish.STDERR, Publish.COMMANDS}
    assert (options.replays, options.reveal) == (Replays.NONE, Reveal.FINISHED)
