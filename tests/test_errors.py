"""The exit codes of the errors, and the tree that is drawn at the top of the module."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from arena import errors
from arena.errors import ArenaError

CODES = {
    "ArenaError": 4,
    "UsageError": 2,
    "LeagueFileError": 2,
    "SeasonChanged": 2,
    "BotFolderError": 2,
    "BotsBroken": 2,
    "NoSandbox": 2,
    "DatabaseBusy": 2,
    "ClusterUnusable": 2,
    "DatabaseRefused": 2,
    "StoreError": 4,
    "ServerGone": 4,
    "RowsUnreadable": 4,
    "SchemaChanged": 4,
    "Interrupted": 130,
    "InternalError": 4,
}


def kinds() -> dict[str, type[ArenaError]]:
    found = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type)}
    return {name: kind for name, kind in found.items() if issubclass(kind, ArenaError)}


def test_exit_codes() -> None:
    assert {name: kind.exit_code for name, kind in kinds().items()} == CODES


def test_the_drawing_is_the_tree() -> None:
    drawn: dict[str, tuple[str, int | None]] = {}
    above: dict[int, str] = {}
    for line in (errors.__doc__ or "").split("\n"):
        found = re.match(r" {4}((?:[| ] {3})*)(?:[|`]-- )?([A-Z]\w+) +(\d+)?", line)
        if found is None:
            continue
        depth = line.index(found[2]) // 4
        above[depth] = found[2]
        drawn[found[2]] = (above.get(depth - 1, "Exception"), int(found[3]) if found[3] else None)
    for name, kind in kinds().items():
        base, code = drawn.pop(name)
        assert kind.__bases__[0].__name__ == base, name
        assert code in {kind.exit_code, None}, name
    assert drawn == {}


@pytest.mark.parametrize("kind", kinds().values())
def test_the_text_is_what_is_shown(kind: type[ArenaError]) -> None:
    error = kind("two\nlines")
    assert (str(error), error.message) == ("two\nlines", "two\nlines")


@pytest.mark.slow
def test_nothing_is_raised_in_an_except_star() -> None:
    """Python before 3.11.4 puts what is raised there into a group, which nobody expects."""
    seen = 0
    for path in sorted(Path(errors.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.TryStar):
                seen += 1
                inside = [each for handler in node.handlers for each in ast.walk(handler)]
                assert not [each for each in inside if isinstance(each, ast.Raise)], f"{path}:{node.lineno}"
    assert seen
