"""This installation: which modules are compiled, whether they are, and another Python with the same code."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from pathlib import Path

import pytest

import arena
import arena.match.game
from arena.linux.installation import same_python

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
