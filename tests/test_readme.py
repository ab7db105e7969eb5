"""The README is true: its commands are CI's, its bot plays, its links lead somewhere."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from arena.league import read_league
from arena.runner.run import run_league
from arena.runner.season_run import RunOptions, RunWatcher
from arena.store import read
from arena.store.database import Database

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)


def test_ci_runs_the_commands_of_the_readme() -> None:
    ci = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    commands = [text.strip() for kind, text in BLOCKS if not kind and text.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert all(command in ci for command in commands)


@pytest.mark.slow
def test_the_bot_of_the_readme_plays_a_league_as_the_readme_adds_it(tmp_path: Path) -> None:
    [bot] = [text for kind, text in BLOCKS if kind == "python"]
    [entry] = [text for kind, text in BLOCKS if kind == "toml"]
    (tmp_path / "bots" / "mine").mkdir(parents=True)
    (tmp_path / "bots" / "mine" / "bot.py").write_text(bot, encoding="utf-8")
    shutil.copytree(ROOT / "bots" / "python", tmp_path / "bots" / "python")
    others = "".join(
        f'[[bots]]\nname = "{name}"\nfolder = "bots/python/{name}"\ncommand = ["{{python}}", "bot.py"]\n'
        for name in ("random", "low")
    )
    head = '[league]\nname = "Try"\nseats = 3\n[schedule]\ncycles = 1\n'
    file = tmp_path / "league.toml"
    file.write_text(head + others + entry, encoding="utf-8")
    loaded = read_league(file)
    run_league(loaded, RunOptions(jobs=1), RunWatcher())
    with Database.open(loaded.database, read_only=True) as database:
        progress = read.progress(database, 1)
        assert (progress.matches_finished, progress.faults) == (6, 0)


PAGES = [
    page
    for folder in ("docs", "protocol", "bots", "arena", "tests")
    for page in sorted((ROOT / folder).rglob("*.md"))
] + [ROOT / "README.md"]


def prose(page: Path) -> str:
    """The text of a page without its fenced blocks."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_title_in_it(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", prose(page)):
        there = page.parent / target if target else page
        assert there.exists(), f"{page.name} links {target}"
        assert not anchor or anchor in anchors(there), f"{page.name} links {target}#{anchor}"
