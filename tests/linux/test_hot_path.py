"""Which modules are compiled at installation, and that an installation can tell whether they are."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import arena.match.game
from arena.linux.hot_path import is_compiled

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEEL = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
LIBRARIES = WHEEL["hooks"]["custom"]["libraries"]
MODULES = [ROOT / module for modules in LIBRARIES.values() for module in modules]


def test_an_installation_tells_what_its_referee_is() -> None:
    assert is_compiled() is not str(arena.match.game.__file__).endswith(".py")


def test_what_is_to_be_compiled_is_there_once() -> None:
    assert all(module.is_file() for module in MODULES)
    assert len(set(MODULES)) == len(MODULES)


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
