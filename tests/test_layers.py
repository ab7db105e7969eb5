"""The house rules on imports: who may know whom, read from the source and seen in a fresh interpreter.

The source tells of every import, those inside functions included; a fresh interpreter tells what an
import really pulls in, through other people's packages too.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("arena", "protocol", "reports")
HEAVY = frozenset({"trio", "sqlmodel", "sqlalchemy", "msgpack", "pydantic"})
PURE = (
    "arena.papayoo",
    "arena.schedule",
    "arena.deals.draws",
    "arena.deals",
    "arena.match.game",
    "arena.match.record",
    "arena.match.rebuild",
    "arena.match.faults",
    "arena.standings",
)
DATABASE = frozenset({"sqlmodel", "sqlalchemy"})
OWN = frozenset(PACKAGES) | {"bots", "tests"}


@cache
def modules() -> dict[str, Path]:
    """Every module of the distribution but the bots, by name."""
    found = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imported(path: Path) -> frozenset[str]:
    """The dotted names that a file imports anywhere; a name taken from a module comes behind the module's."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            # One dot is the package that a file stands in, each further one the package around it.
            base = path.relative_to(ROOT).parts[: -node.level] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def module_of(name: str) -> str | None:
    """The longest beginning of a dotted name that is a module of ours."""
    while name and name not in modules():
        name = name.rpartition(".")[0]
    return name or None


@cache
def graph() -> dict[str, frozenset[str]]:
    """For each module of ours, the modules of ours that it names in imports, lazy ones included."""
    return {
        name: frozenset(target for each in imported(path) if (target := module_of(each))) - {name}
        for name, path in modules().items()
    }


def users(outside: str) -> set[str]:
    """The modules of ours that import this package of others."""
    return {
        name
        for name, path in modules().items()
        if any(each.partition(".")[0] == outside for each in imported(path))
    }


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def cycle(edges: dict[str, frozenset[str]]) -> list[str]:
    """Some modules that import each other in a ring, or none."""
    done: set[str] = set()

    def search(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        done.add(name)
        return next((ring for each in sorted(edges[name]) if (ring := search(each, [*way, name]))), [])

    return next((ring for name in sorted(edges) if (ring := search(name, []))), [])


def test_the_search_for_cycles_finds_one() -> None:
    edges = {"a": frozenset({"b"}), "b": frozenset({"c", "d"}), "c": frozenset({"b"}), "d": frozenset()}
    assert cycle(edges) == ["b", "c", "b"]
    assert cycle({"a": frozenset({"b"}), "b": frozenset()}) == []


def test_no_import_goes_round_in_a_ring_not_even_a_lazy_one() -> None:
    assert cycle(graph()) == []


@pytest.mark.parametrize("package", ["msgpack"])
def test_only_the_protocol_packs(package: str) -> None:
    a_bot = "arena.bench.echo.first"  # a program by itself, which stands for bots that use no helper
    assert users(package) == {"protocol.packing", a_bot}


@pytest.mark.parametrize("package", sorted(DATABASE))
def test_only_the_store_knows_the_database(package: str) -> None:
    assert all(inside(name, "arena.store") for name in users(package))


def test_the_protocol_knows_nothing_of_the_arena() -> None:
    for name, path in modules().items():
        if inside(name, "protocol"):
            outside = {each.partition(".")[0] for each in imported(path)} - sys.stdlib_module_names
            assert outside <= {"protocol", "msgpack", "pybase64"}, name


def test_pages_are_made_from_the_store_and_know_no_process() -> None:
    assert not {name for name in users("trio") if inside(name, "reports")}
    assert not {name for name in graph() if inside(name, "reports") and "arena.cli" in graph()[name]}


def test_nobody_imports_the_command_line_but_itself_and_the_start() -> None:
    for name, targets in graph().items():
        if any(inside(each, "arena.cli") for each in targets):
            assert inside(name, "arena.cli") or name == "arena.__main__"


def test_python_bots_use_the_protocol_and_the_rules_only() -> None:
    bots = sorted((ROOT / "bots" / "python").rglob("*.py"))
    assert bots
    for path in bots:
        siblings = {other.stem for other in path.parent.glob("*.py")}
        for name in imported(path):
            top = name.partition(".")[0]
            allowed = top in sys.stdlib_module_names | siblings | {"msgpack", "protocol"}
            assert allowed or inside(name, "arena.papayoo"), f"{path} imports {name}"


@cache
def loaded_by(statement: str) -> frozenset[str]:
    """The top packages that are loaded after a statement in a fresh interpreter, ours by full name."""
    code = f"import sys\nbefore = set(sys.modules)\n{statement}\nprint(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    names = done.stdout.split()
    return frozenset(name if name.partition(".")[0] in OWN else name.partition(".")[0] for name in names)


@pytest.mark.parametrize("name", PURE)
def test_what_is_pure_loads_nothing_heavy(name: str) -> None:
    loaded = loaded_by(f"import {name}")
    assert name in loaded
    assert not loaded & HEAVY


def test_a_referee_loads_no_database() -> None:
    loaded = loaded_by("import arena.referee.referee")
    assert "trio" in loaded
    assert not loaded & DATABASE
    assert not {name for name in loaded if inside(name, "arena.store") or inside(name, "reports")}


def test_reports_load_no_trio() -> None:
    loaded = loaded_by("import reports")
    assert "reports" in loaded
    assert "trio" not in loaded


def test_the_protocol_loads_nothing_of_ours_but_itself() -> None:
    loaded = loaded_by("import protocol, protocol.messages, protocol.codec, protocol.lines")
    assert "msgpack" in loaded
    assert not {name for name in loaded if name.partition(".")[0] in OWN and not inside(name, "protocol")}
    assert not loaded & (HEAVY - {"msgpack"})


def test_version_and_help_load_click_and_no_reports() -> None:
    loaded = loaded_by(
        "import contextlib, io\nfrom arena.__main__ import main\n"
        "sys.argv = ['arena', '--version']\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main()"
    )
    assert "click" in loaded
    assert not loaded & (HEAVY | {"jinja2"})
    assert not {name for name in loaded if inside(name, "reports") or inside(name, "arena.store")}
