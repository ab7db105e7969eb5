"""This installation: what is compiled, another Python with the same code, and where it runs."""

from __future__ import annotations

import ast
import os
import subprocess
import tomllib
from pathlib import Path

import pytest
import trio

import arena
import arena.match.game
from arena.bot.launch import BotCommand
from arena.bot.process import BotProcess
from arena.linux.installation import same_python
from arena.linux.scheduling import placed
from tests.tables import HELLO, command

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEEL = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
LIBRARIES = WHEEL["hooks"]["custom"]["libraries"]
MODULES = [ROOT / module for modules in LIBRARIES.values() for module in modules]


def test_what_is_to_be_compiled_is_there_once() -> None:
    assert all(module.is_file() for module in MODULES)
    assert len(set(MODULES)) == len(MODULES)


@pytest.mark.slow
def test_nobody_interpreted_inherits_from_a_compiled_class() -> None:
    """It would be refused at run time, and only where things are compiled."""
    compiled = {node.name for module in MODULES for node in classes(module)}
    for package in ("arena", "protocol", "reports", "tests"):
        for path in (ROOT / package).rglob("*.py"):
            if path not in MODULES:
                bases = {
                    base.id for node in classes(path) for base in node.bases if isinstance(base, ast.Name)
                }
                assert not bases & (compiled - {"Channel"}), path  # a protocol may be inherited


def classes(path: Path) -> list[ast.ClassDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


@pytest.mark.parametrize("how", ["-m", "-c"])
def test_the_current_folder_is_not_looked_at(tmp_path: Path, how: str) -> None:
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "__init__.py").write_text("raise SystemExit('another arena')")
    asked = {"-m": ["arena", "--version"], "-c": ["import arena; print(arena.__file__)"]}[how]
    argv, environment = same_python(how, *asked)
    done = subprocess.run(argv, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert how == "-m" or Path(done.stdout.strip()) == Path(arena.__file__)


CORES = sorted(os.sched_getaffinity(0))
several = pytest.mark.skipif(len(CORES) < 2, reason="there is one core")


def _affinity_of_a_child() -> set[int]:
    with subprocess.Popen(["sleep", "60"]) as child:
        try:
            return os.sched_getaffinity(child.pid)
        finally:
            child.kill()


@several
def test_what_is_started_meanwhile_stays_there() -> None:
    with placed({CORES[0]}):
        assert _affinity_of_a_child() == {CORES[0]}
        with placed(()):
            assert _affinity_of_a_child() == {CORES[0]}
        with placed(CORES):
            assert _affinity_of_a_child() == set(CORES)
        assert os.sched_getaffinity(0) == {CORES[0]}
    assert os.sched_getaffinity(0) == set(CORES)


async def _cores_of(bot: BotCommand) -> tuple[set[int], bool]:
    """Where it may run after a look of its watchdog, and whether it counts as having left its core."""
    async with trio.open_nursery() as nursery:
        process = await BotProcess.start(bot, nursery, HELLO)
        assert isinstance(process, BotProcess)
        place = process.sit_down()
        assert process.watchdog.look() is None
        cores = os.sched_getaffinity(process.pid)
        usage = process.stand_up(place)
        await process.end("seen")
        nursery.cancel_scope.cancel()
    return cores, usage.left_core


@several
async def test_a_bot_of_several_threads_is_not_pinned_with_its_referee() -> None:
    pinned = command("slow", "silent")
    free = BotCommand(pinned.bot, pinned.argv, pinned.folder, threads=2, cores=tuple(CORES))
    with placed({CORES[0]}):
        assert await _cores_of(pinned) == ({CORES[0]}, False)
        assert await _cores_of(free) == (set(CORES), False)
