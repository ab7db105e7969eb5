"""The house rules on imports: who may know whom, read from the source and seen in a fresh interpreter.

`ARROWS` is the one place where it stands which package may import which; docs/architecture.md draws it. The
source tells of every import, those inside functions included (grimp reads them). A fresh interpreter tells
what an import really loads, through other people's packages too. import-linter, which is made of grimp, can
forbid arrows and order layers, but it cannot say "these and no others" of each package: hence a test.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = frozenset({"trio", "sqlmodel", "sqlalchemy", "msgpack", "pydantic"})
DATABASE = frozenset({"sqlmodel", "sqlalchemy", "psycopg"})
OWN = frozenset({"arena", "protocol", "reports", "bots", "tests"})
PURE = ("papayoo", "schedule", "deals", "match", "strategy", "reviews", "conduct", "integrity", "score")
"""Packages that load nothing heavy: no clock, no process, no database."""
EDGES = frozenset({"arena.match.record_json"})
"""Modules in them that do: these check the shape of what comes from elsewhere."""

_GAME = "papayoo deals match"
_STORED = f"{_GAME} conduct schedule score errors store"
ARROWS = {
    name: frozenset(allowed.split())
    for name, allowed in {
        "protocol": "",
        "errors": "",
        "wording": "",
        "papayoo": "",
        "linux": "",
        "deals": "papayoo",
        "seat": "papayoo protocol",
        "strategy": "papayoo",
        "schedule": "papayoo deals",
        "score": "wording",
        "match": "papayoo deals",
        "conduct": "papayoo match score",
        "integrity": "papayoo match",
        "league": "papayoo deals match schedule score errors",
        "sandbox": "linux league errors protocol",
        "bot": "match linux sandbox errors protocol",
        "referee": f"{_GAME} bot linux errors protocol",
        "cluster": "bot linux sandbox referee errors",
        "store": "papayoo deals match conduct linux schedule score errors",
        "export": "score store",
        "bench": f"{_GAME} league bot linux referee cluster store season runner reports errors",
        "season": "deals conduct schedule score errors store league bot wording",
        "verify": f"{_STORED} league season",
        "reports": "papayoo deals match conduct score store export verify errors protocol wording",
        "runner": "papayoo deals match conduct schedule score errors store league sandbox bot linux "
        "referee cluster season protocol",
        "people": "match seat bot errors",
        "workbench": f"{_GAME} seat reviews score league sandbox bot linux referee store runner "
        "verify errors protocol",
        "proof": "papayoo deals match strategy schedule score conduct integrity",
        "learn": f"{_GAME} schedule score",
        "reviews": "papayoo deals match strategy score",
        "cli": "papayoo deals match reviews conduct score errors store league sandbox bot linux season "
        "runner verify reports export people integrity workbench referee cluster protocol "
        "wording",
        "__main__": "cli",
    }.items()
}
"""Each package of the arena, and beside them `protocol` and `reports`, with those it may import."""


@cache
def graph() -> grimp.ImportGraph:
    """Every module of the distribution but the bots, with its imports, lazy ones too."""
    return grimp.build_graph("arena", "protocol", "reports", include_external_packages=True, cache_dir=None)


def package_of(module: str) -> str:
    """Whose room a module is: `arena.bot.link` is in "bot"."""
    parts = module.split(".")
    return parts[1] if parts[0] == "arena" and len(parts) > 1 else parts[0]


def ours(module: str) -> bool:
    return module.partition(".")[0] in {"arena", "protocol", "reports"}


@cache
def arrows() -> dict[str, set[str]]:
    """What each package really imports of the others. `arena` itself holds a version and nothing else."""
    found: dict[str, set[str]] = {package_of(module): set() for module in graph().modules if ours(module)}
    for module in filter(ours, graph().modules):
        mine = package_of(module)
        for target in filter(ours, graph().find_modules_directly_imported_by(module)):
            found[mine] |= {package_of(target)} - {mine, "arena"}
    del found["arena"]
    return found


def users(outside: str) -> set[str]:
    """The modules of ours that import this package of others."""
    return set(graph().find_modules_that_directly_import(outside)) if outside in graph().modules else set()


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def ring(edges: dict[str, frozenset[str]]) -> list[str]:
    """Some names that point at each other in a ring, or none."""
    left = dict(edges)
    while free := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


def test_no_module_imports_itself_in_a_ring_not_even_a_lazy_one() -> None:
    modules = {
        name: graph().find_modules_directly_imported_by(name) for name in filter(ours, graph().modules)
    }
    assert ring({name: frozenset(targets) for name, targets in modules.items()}) == []


@pytest.mark.parametrize("package", sorted(ARROWS))
def test_a_package_imports_what_it_may_and_no_arrow_is_out_of_date(package: str) -> None:
    assert arrows()[package] == ARROWS[package]


def test_every_package_has_its_arrows_and_they_form_no_ring() -> None:
    assert arrows().keys() == ARROWS.keys()
    assert ring(ARROWS) == []


def test_what_follows_from_what_is_stored_is_decided_without_asking_the_store() -> None:
    """Only the forecast reads for itself: it is asked for by a command that runs nothing."""
    asking = {"arena.store.read", "arena.store.write", "arena.store.database"}
    for module in graph().find_children("arena.season") - {"arena.season.forecast"}:
        assert not asking & graph().find_modules_directly_imported_by(module), module


def test_only_the_protocol_packs() -> None:
    assert users("msgpack") == {"protocol.packing"}


@pytest.mark.parametrize("package", sorted(DATABASE))
def test_only_the_store_knows_the_database(package: str) -> None:
    assert users(package)
    assert all(inside(name, "arena.store") for name in users(package))


def test_pages_know_no_process() -> None:
    assert not {name for name in users("trio") if inside(name, "reports")}


def imported(path: Path) -> set[str]:
    """The dotted names that a program imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_python_bots_use_the_protocol_and_the_game_only() -> None:
    """And numpy, which the arena needs itself."""
    bots = sorted((ROOT / "bots" / "python").rglob("*.py"))
    assert bots
    for path in bots:
        siblings = {other.stem for other in path.parent.glob("*.py")}
        for name in imported(path):
            top = name.partition(".")[0]
            allowed = top in sys.stdlib_module_names | siblings | {
                "msgpack",
                "numpy",
                "papayoo_bot",
                "protocol",
            }
            own = any(inside(name, f"arena.{package}") for package in ("papayoo", "strategy", "learn"))
            assert allowed or own, f"{path} imports {name}"


@cache
def loaded_by(statement: str) -> frozenset[str]:
    """The top packages that are loaded after a statement in a fresh interpreter, ours by full name."""
    code = f"import sys\nbefore = set(sys.modules)\n{statement}\nprint(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    names = done.stdout.split()
    return frozenset(name if name.partition(".")[0] in OWN else name.partition(".")[0] for name in names)


def test_what_is_pure_loads_nothing_heavy() -> None:
    pure = [name for name in graph().modules if any(inside(name, f"arena.{package}") for package in PURE)]
    modules = set(pure) - EDGES
    loaded = loaded_by(f"import {', '.join(modules)}")
    assert loaded >= modules
    assert not loaded & HEAVY


def test_only_the_score_and_the_drawn_schedule_load_numpy() -> None:
    """It takes as long to load as a short command runs, and a referee or a bot has no use for it."""
    by_arrays = {f"arena.score.{name}" for name in ("arrays", "least_squares", "paired", "spread")}
    found = {u for u in users("numpy") if not any(inside(u, f"arena.{own}") for own in ("learn", "proof"))}
    assert found == {"arena.schedule.drawn", *by_arrays}
    assert "numpy" not in loaded_by(
        "import arena.cli.program, arena.papayoo, arena.schedule, arena.strategy, arena.referee.referee, "
        "arena.cluster.worker, arena.seat, papayoo_bot"
    )
    assert "numpy" not in loaded_by("import arena.cli.options, arena.conduct.exclusion, arena.league.reader")
    assert "numpy" in loaded_by("import arena.score.scoring")


def test_a_referee_loads_no_database() -> None:
    loaded = loaded_by("import arena.referee.referee")
    assert "trio" in loaded
    assert not loaded & DATABASE
    assert not {name for name in loaded if inside(name, "arena.store") or inside(name, "reports")}


def test_a_worker_loads_no_event_loop_of_referees_and_no_engine_before_it_works() -> None:
    loaded = loaded_by("import arena.cluster.worker")
    assert "asyncio" in loaded
    assert not loaded & {"trio", "pydantic", "distributed", "dask", *DATABASE}


def test_reports_load_no_trio_and_a_league_in_a_file_no_driver_of_a_server(tmp_path: Path) -> None:
    loaded = loaded_by(
        "import reports\nfrom pathlib import Path\nfrom arena.store.database import Database\n"
        f"Database.open(Path({str(tmp_path / 'file.db')!r}), create=True).close()"
    )
    assert loaded >= {"reports", "sqlalchemy"}
    assert not loaded & {"trio", "psycopg"}


def test_the_protocol_loads_nothing_of_ours_but_itself() -> None:
    loaded = loaded_by("import protocol, protocol.messages, protocol.codec")
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
