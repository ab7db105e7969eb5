"""What stands on the pages of docs/ is true: their code and commands run, and print what stands below."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from arena.workbench.kits import find_kit, kits, make_bot
from tests.cli.calling import Arena, caller
from tests.pages import Block, blocks, change
from tests.test_layers import ARROWS

ROOT = Path(__file__).parent.parent
PATIENT = ["--move-seconds", "20"]
"""More time than on the page, for this machine may be busy; a bot that is late would show."""


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    """Runs `arena` with the arguments it is given."""
    return caller(capsys)


def shown_after(found: list[Block], place: int) -> str | None:
    """What a page says that the block at this place prints, if it says so."""
    following = found[place + 1 : place + 2]
    return following[0].text if following and not following[0].kind else None


@pytest.mark.parametrize(("page", "least"), [("rules-api.md", 6), ("learning.md", 4)])
def test_the_examples_print_what_stands_below_them(page: str, least: int) -> None:
    found = blocks(page)
    session: dict[str, object] = {"__name__": page.removesuffix(".md")}
    shown = 0
    for place, block in enumerate(found):
        if block.kind != "python":
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(block.text, page, "exec"), session)
        assert output.getvalue() == (shown_after(found, place) or ""), block.text
        shown += bool(output.getvalue())
    assert shown >= least


@pytest.mark.slow
def test_the_bot_that_looks_ahead_beats_those_that_do_not(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [bot] = [block.text for block in blocks("rules-api.md") if block.kind == 'python title="bot.py"']
    monkeypatch.chdir(tmp_path)
    make_bot(find_kit("python"), "guess", tmp_path / "guess")
    (tmp_path / "guess" / "bot.py").write_text(bot, encoding="utf-8")
    called = arena(
        "play", "guess", "random", "low", "--rounds", 3, "--seed", "look", *PATIENT, "--fail-on-fault"
    )
    assert called.code == 0, called.err
    assert re.search(r"guess .* 1\n", called.out), called.out


@pytest.mark.slow
def test_the_tutorial_from_the_clone_to_both_wins(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = blocks("tutorial.md")
    assert found[0].text.splitlines()[0] in (ROOT / "README.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    printed: list[str] = []
    for place, block in enumerate(found[1:], 1):
        if block.kind == "diff" and block.about == ("Python", "bot.py"):
            change(tmp_path / "mybot" / "bot.py", block.text)
        if block.kind == "sh":
            program, *words = shlex.split(block.text)
            assert program == "arena"
            called = arena(*words, *(PATIENT if words[0] == "play" else []))
            assert called.code == 0, (block.text, called.out, called.err)
            shown = shown_after(found, place)
            assert shown in (None, called.out.lstrip("\n")), block.text
            printed.append(called.out)
    row = re.compile(r"^ +\d  (\S+(?: \d)?) .* 1$", re.MULTILINE)
    firsts = [name for out in printed for name in row.findall(out)]
    assert firsts == ["Low", "mybot", "Duck 2", "Duck", "mybot", "Duck", "mybot"], "in the sixth both are"


def test_the_tutorial_is_for_every_language_that_has_a_kit() -> None:
    about = [block.about for block in blocks("tutorial.md") if block.kind == "diff"]
    assert sorted(about, key=str) == sorted(((kit.title, kit.edit) for kit in kits()), key=str)
    named = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    assert all(f"`{kit.lang}`" in named for kit in kits())


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_file_that_the_architecture_names_exists() -> None:
    named = re.findall(r"`([\w./-]+/|[\w./-]+\.(?:py|md|json|toml))`", ARCHITECTURE)
    assert len(named) > 60
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_architecture_explains_every_package() -> None:
    table = ARCHITECTURE.partition("| package |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == sorted(ARROWS)


def test_the_map_draws_every_package_above_those_that_it_imports() -> None:
    lines = blocks("architecture.md")[0].text.splitlines()
    height = {name: -at for at, line in enumerate(lines) for name in line.split()}
    assert height.keys() == ARROWS.keys()
    drawn = [(name, target) for name, targets in ARROWS.items() for target in targets]
    assert [arrow for arrow in drawn if height[arrow[0]] <= height[arrow[1]]] == []
