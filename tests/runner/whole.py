"""Two leagues with everything in them, played once without a break, and once disturbed in every place.

The closed one: a bot crashes and is excluded, the others are called level and it is settled; a bot has a
child, which must not outlive it. The open one: it begins with two bots, others come, are built, improved,
broken, refused and leave, and after its close there are two more stages.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.export import Cell, Export, What, table_rows
from arena.league import read_league
from arena.store import read
from arena.store.database import Database
from arena.store.views import MatchState, SeasonView
from arena.verify.verify import verify
from tests.running import (
    LONG_MOVES,
    Run,
    assert_nothing_runs,
    edit,
    enter,
    leave,
    make_league,
    make_open_league,
    play,
)
from tests.shared import once

CRASH = """if os.path.exists("../../../crash"):
        os._exit(3)
"""
CHILD = """
    global child
    if "child" not in globals():
        import subprocess
        child = subprocess.Popen(["sleep", "300"], stdin=-3, stdout=-3, stderr=-3)
"""
DELAY = 'time.sleep(0.005 if os.path.exists("../../../slow") else 0.0)'
STRICT = "[faults]\ndisqualify_share = 0.05\n"
"""So a bot that always crashes is out after its three sessions of the first cycle."""
MATCHES = 126
"""Of the closed league: 4 line-ups of 3 in each of three cycles, then one in each; 6 seat orders each."""


def make_closed(folder: Path, more: str = "") -> Path:
    """A league of four bots on three seats. The last crashes as long as there is a file `crash`.

    While there is a file `slow` beside the league, its matches take long enough to be disturbed.
    """
    folder.mkdir(exist_ok=True)
    league = make_league(folder, bots=4, cycles=40, more=LONG_MOVES + STRICT + more)
    edit(league, "cycles = 40", 'cycles = 40\nstop = "settled"\nmargin = 250.0')
    edit(folder / "bots/b0/bot.py", "time.sleep(0.0)", CHILD)
    for bot in ("b1", "b2"):
        edit(folder / f"bots/{bot}/bot.py", "time.sleep(0.0)", DELAY)
    edit(folder / "bots/b3/bot.py", "time.sleep(0.0)", CRASH)
    (folder / "crash").touch()
    return league


def closed_league(factory: pytest.TempPathFactory) -> Path:
    """The closed league, played by one referee in one run."""

    def make(folder: Path) -> None:
        outcome = play(make_closed(folder))
        assert outcome.code == 0, outcome.err

    return once(factory, "closed", make) / "league.toml"


STAGES = """\
[[stages]]
name = "Ladder"
keep = 4
[[stages]]
keep = 3
cycles = 1
[[stages]]
name = "Final"
cycles = 1
"""
STEPS = 4
"""Of the open league: the changes between its phases, and then its close."""


def make_open(folder: Path, more: str = "") -> Path:
    """The open league with its first two bots."""
    folder.mkdir(parents=True, exist_ok=True)
    return make_open_league(folder, bots=2, schedule="version_hours = 0\n", more=LONG_MOVES + more + STAGES)


def open_league(factory: pytest.TempPathFactory) -> Path:
    """The open league, played to its end."""

    def make(folder: Path) -> None:
        league = make_open(folder)
        for step in range(STEPS):
            change(league, step)
            outcome = play(league)
            assert outcome.code == 0, outcome.err
            (folder / f"said-{step}").write_text(outcome.err)

    return once(factory, "open", make) / "league.toml"


def change(league: Path, step: int) -> None:
    """What happens before a phase of the open league is played."""
    if step == 1:
        enter(league, "b2", 2)
        enter(league, "b3", 3)
        enter(league, "b1", 3)
        enter(league, "broken", 0, trick="this is no Python")
        enter_built(league, "b4", "true")
        enter(league, "thief", 0, name="b0")
        enter(league, "B2", 0)
        (league.parent / "entries" / "empty").mkdir()
        (league.parent / "entries" / "link").symlink_to(league.parent / "entries" / "b0")
    if step == 2:
        leave(league, "b2")
        enter(league, "broken", 1)
    if step == 3:
        close(league)


def close(league: Path) -> None:
    assert Run(league, "--reason", "the season is over", command="close").end().code == 0


def enter_built(league: Path, bot: str, script: str) -> None:
    """Put the folder of a bot into `entries` that a shell script builds."""
    new = league.parent / f"{bot}.new"
    shutil.copytree(league.parent / "entries" / "b0", new)
    build = f'build = ["sh", "-c", "{script}; cp bot.py built.py"]\n'
    (new / "bot.toml").write_text(f'name = "{bot}"\ncommand = ["{{python}}", "built.py"]\n{build}')
    leave(league, bot)
    new.rename(league.parent / "entries" / bot)


@contextmanager
def opened(league: Path) -> Iterator[Database]:
    """Its database, on a server if there is no file."""
    file = league.with_name("league.db")
    with Database.open(file if file.exists() else read_league(league).database, read_only=True) as database:
        yield database


def seasons(league: Path) -> list[SeasonView]:
    """Its seasons; none as long as there is no database with tables."""
    try:
        with opened(league) as database:
            return read.seasons(database)
    except StoreError:
        return []


def fields(league: Path) -> list[tuple[object, ...]]:
    """Who plays in the phases of its first season, who catches up, and what they begin with."""
    return [
        (one.entries, one.owed, one.first_cycle, one.cycles_at_most, one.first_match)
        for season in seasons(league)[:1]
        for one in season.phases
    ]


RESULTS = tuple(what for what in What if what is not What.HOSTS)
"""What is the same wherever a league is played."""


def exported(league: Path) -> list[list[tuple[Cell, ...]]]:
    """All results of all its seasons."""
    with opened(league) as database:
        return [
            list(table_rows(database, Export(season, what, ended=True)))
            for season in read.seasons(database)
            for what in RESULTS
        ]


def assert_sound(league: Path) -> None:
    """No process is left, and SQLite finds no fault with the database."""
    assert_nothing_runs(league.parent)
    for path in league.parent.glob("*.db"):
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def assert_agrees(league: Path) -> None:
    """Everything that can be verified agrees."""
    with opened(league) as database:
        found = verify(database, read.seasons(database)).difference
    assert found is None, str(found)


def assert_as(league: Path, undisturbed: Path) -> None:
    """All is over, every match is there once, verified, and the results are the same as undisturbed."""
    assert_sound(league)
    assert_agrees(league)
    assert exported(league) == exported(undisturbed)
    with opened(league) as database:
        for season in read.seasons(database):
            assert all(phase.ended_at is not None for phase in season.phases)
            assert not read.matches(database, season.number, state=MatchState.BEGUN)
            numbers = [match.number for match in read.matches(database, season.number)]
            assert len(set(numbers)) == len(numbers), "a match is finished twice"


Disturb = Callable[[Path, int], None]


def play_open(league: Path, disturb: Disturb) -> None:
    """Play the open league to its end, each step of it disturbed before."""
    for step in range(STEPS):
        change(league, step)
        disturb(league, step)
        if not is_over(league, step):
            outcome = play(league)
            assert outcome.code == 0, outcome.err


def has_begun(league: Path, step: int) -> bool:
    """Whether what a step adds is being played, or is over."""
    found = seasons(league)
    return len(found) > 1 if step == STEPS - 1 else bool(found) and len(found[0].phases) > step


def is_over(league: Path, step: int) -> bool:
    """Whether what a step adds has been played."""
    found = seasons(league)
    if step == STEPS - 1:  # a season is stored before its first phase
        return len(found) == 3 and any(one.ended_at is not None for one in found[-1].phases)
    return bool(found) and sum(one.ended_at is not None for one in found[0].phases) > step
