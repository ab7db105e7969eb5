"""`arena report`."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

from arena.cli.organiser.pages import report_options
from arena.league.model import ReportSection
from reports import Publish, Reveal
from tests.cli.calling import Arena


def test_it_writes_the_pages_says_where_and_opens_them_on_request(
    arena: Arena, stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = arena("report", stopped)
    index = stopped.parent / "spring-report" / "index.html"
    assert called.code == 0
    assert called.out == f"{index}\n"
    assert "Spring league" in index.read_text(encoding="utf-8")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) is None)
    again = arena("report", stopped)
    assert again.err.startswith("0 files written")
    assert opened == []
    again = arena("report", stopped, "--open")
    assert opened == [index.resolve().as_uri()]
    assert "no browser" not in again.err


def test_a_folder_that_cannot_be_written(arena: Arena, stopped: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    called = arena("report", stopped, "-o", tmp_path / "taken" / "pages")
    assert called.code == 2
    assert "The pages cannot be written" in called.err
    assert called.out == ""


def test_without_a_browser_the_page_is_named(
    arena: Arena, stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_browser(address: str) -> bool:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr("webbrowser.open", no_browser)
    called = arena("report", stopped, "--open")
    index = (stopped.parent / "spring-report" / "index.html").resolve()
    assert called.code == 0
    assert called.err.endswith(f"no browser could be opened; the page is {index.as_uri()}\n")


def test_the_pages_of_one_author(arena: Arena, finished: Path, tmp_path: Path) -> None:
    called = arena("report", finished, "--for", "Moody", "-o", tmp_path / "for-edsger")
    assert (called.code, called.out) == (0, f"{tmp_path / 'for-edsger' / 'index.html'}\n")
    assert list((tmp_path / "for-edsger").glob("matches/*-messages.html"))
    assert not (finished.parent / "spring-report").exists()


def test_private_pages_need_a_folder_of_their_own(arena: Arena, finished: Path) -> None:
    pages = finished.parent / "spring-report"
    for folder in ([], ["-o", pages], ["-o", pages / "moody"]):
        called = arena("report", finished, "--for", "moody", *folder)
        assert called.code == 2
        assert "need a folder of their own" in called.err
    assert not pages.exists()


def test_private_pages_of_nobody(arena: Arena, finished: Path, tmp_path: Path) -> None:
    called = arena("report", finished, "--for", "mody", "-o", tmp_path / "x")
    assert called.code == 2
    assert "did you mean moody?" in called.err


def test_the_options_are_those_of_the_league_file() -> None:
    section = ReportSection(publish=("stderr", "commands"), reveal="finished")
    options = report_options(section)
    assert options.publish == {Publish.STDERR, Publish.COMMANDS}
    assert options.reveal == Reveal.FINISHED
