"""Mutations: whether the quick tests notice when the arena computes something else.

`python -m tests.mutate` draws mutations of the modules where a mistake would falsify results, and runs for
each one the quick tests of its package in a copy of the tree. It prints which mutations the tests caught,
which survived, and on how many tests each one fell. The tree itself stays as it is.

A survivor is a question and no verdict: some mutations change nothing that anybody could see.

The draw depends on the seed and on the code of each function alone, not on where in its file it stands. So
two trees give the same mutations where their functions are the same, and their numbers can be compared.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path

ROOT = Path(__file__).parent.parent

NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "*.so")


@dataclass(frozen=True, slots=True)
class Area:
    """Modules that are mutated together.

    `share`: how many of 30 mutations are drawn here, in proportion to the code. `modules`: patterns of files.
    `tests`: what should catch a mistake in them; what a tree lacks is left out.
    """

    name: str
    share: int
    modules: str
    tests: tuple[str, ...]


AREAS = [
    Area("rules", 9, "arena/papayoo/*.py", ("tests/papayoo", "tests/oracle")),
    Area("match", 5, "arena/match/game.py", ("tests/match", "tests/oracle")),
    Area("answers", 3, "arena/bot/answers.py", ("tests/bot", "tests/oracle")),
    Area("fit", 5, "arena/score/fit.py", ("tests/score", "tests/oracle")),
    Area("saving", 2, "arena/store/playing.py", ("tests/store", "tests/oracle")),
    Area("agenda", 3, "arena/season/agenda.py", ("tests/season", "tests/oracle")),
    Area("deals", 3, "arena/deals/deals.py", ("tests/deals", "tests/oracle")),
]
SHARES = sum(area.share for area in AREAS)


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of one module: from `start` to `end` its text is replaced by `new`."""

    module: Path
    function: str
    count: int
    start: tuple[int, int]
    end: tuple[int, int]
    old: str
    new: str

    def __str__(self) -> str:
        change = re.sub(r"\s+", " ", f"{self.old}  =>  {self.new}")
        return f"{self.module}:{self.start[0]} {self.function}: {change}"

    def rank(self, seed: str, area: str) -> bytes:
        """Return what orders the mutations of an area; the lowest are drawn."""
        return hashlib.sha256(f"{seed}|{area}|{self.function}|{self.count}".encode()).digest()

    def apply(self, text: str) -> str:
        """Return the module's text with this change."""
        lines = text.encode().splitlines(keepends=True)
        (first, left), (last, right) = self.start, self.end
        changed = lines[first - 1][:left] + self.new.encode() + lines[last - 1][right:]
        return b"".join([*lines[: first - 1], changed, *lines[last:]]).decode()


COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
TEXT_ONLY = ("__repr__", "__str__")
"""Functions that only write something for people."""
NOT_MUTATED = (ast.Assert, ast.Raise, ast.Import, ast.ImportFrom, ast.JoinedStr, ast.FormattedValue)
"""Invariants, texts of messages, and what Python 3.11 gives no place in the file."""


def mutations(root: Path, module: Path) -> Iterator[Mutation]:
    """Return every mutation of a module, in the order of its code."""
    text = (root / module).read_text(encoding="utf-8")
    counts: Counter[str] = Counter()
    for function, node, replacement in _replaced(ast.parse(text).body, "module"):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        yield Mutation(
            module,
            function,
            counts[function],
            (node.lineno, node.col_offset),
            (node.end_lineno, node.end_col_offset),
            ast.get_source_segment(text, node) or "",
            replacement,
        )
        counts[function] += 1


Place = ast.expr | ast.stmt


def _replaced(statements: list[ast.stmt], function: str) -> Iterator[tuple[str, Place, str]]:
    """Return each place that can be mutated, with the function it is in and what stands there then."""
    for node in statements:
        if isinstance(node, NOT_MUTATED) or _is_text(node) or _is_for_types(node):
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name not in TEXT_ONLY:
                inside = _inside(function, node.name)
                for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
                    yield from _in_expression(default, inside)
                yield from _replaced(node.body, inside)
        elif isinstance(node, ast.ClassDef):
            yield from _replaced(node.body, _inside(function, node.name))
        else:
            for changed, new in _of_statement(node, function):
                yield function, changed, new
            for part in _expressions(node):
                yield from _in_expression(part, function)
            for body in ("body", "orelse", "finalbody"):
                yield from _replaced(getattr(node, body, []), function)
            for other in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
                yield from _replaced(other.body, function)


def _inside(outer: str, name: str) -> str:
    return name if outer == "module" else f"{outer}.{name}"


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """Return the expressions of a statement that are no annotations."""
    for name, value in ast.iter_fields(node):
        if name != "annotation" and isinstance(value, ast.expr):
            yield value
    for item in getattr(node, "items", []):
        yield item.context_expr


def _of_statement(node: ast.stmt, function: str) -> Iterator[tuple[Place, str]]:
    """Return what a statement as a whole becomes: nothing, or with its branches swapped or another value.

    What only ends in a NameError or AttributeError is no mutation: a missing variable or a missing field.
    """
    if _only_acts(node, function):
        yield node, "pass"
    elif isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield node.test, f"not ({ast.unparse(node.test)})"
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield node.value, "None"


def _only_acts(node: ast.stmt, function: str) -> bool:
    """Return whether code goes on without a statement, and finds something else."""
    if isinstance(node, ast.Assign):
        return not function.endswith("__init__") and not isinstance(node.targets[0], ast.Name | ast.Tuple)
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Yield | ast.YieldFrom | ast.Await)
    return isinstance(node, ast.AugAssign | ast.Continue | ast.Break)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _in_expression(node: ast.expr, function: str) -> Iterator[tuple[str, ast.expr, str]]:
    if isinstance(node, NOT_MUTATED):
        return
    for new in _of_expression(node):
        yield function, node, f"({ast.unparse(new)})"
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _in_expression(child, function)
        elif isinstance(child, ast.keyword) and child.arg != "strict":  # an invariant, as an assert is
            yield from _in_expression(child.value, function)
        elif isinstance(child, ast.comprehension):
            for part in (child.iter, *child.ifs):
                yield from _in_expression(part, function)


def _of_expression(node: ast.expr) -> Iterator[ast.expr]:
    """Return what an expression itself becomes, without what is in it."""
    match node:
        case ast.Compare(left, [first, *others], right) if type(first) in COMPARISONS:
            yield ast.Compare(left, [COMPARISONS[type(first)](), *others], right)
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)


def draw(root: Path, seed: str, count: int) -> dict[str, list[Mutation]]:
    """Return the mutations of each area that a seed draws."""
    drawn = {}
    for area in AREAS:
        modules = sorted(path.relative_to(root) for path in root.glob(area.modules))
        found = [mutation for module in modules for mutation in mutations(root, module)]
        found.sort(key=partial(Mutation.rank, seed=seed, area=area.name))
        drawn[area.name] = found[: round(count * area.share / SHARES)]
    return drawn


_PATIENCE = 20
"""Tests that wait for ever end after so many times the processor time that they may take."""


def _processor_seconds() -> float:
    """Return the processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Trial:
    """A copy of the tree, in which the tests of an area run against one changed module at a time."""

    def __init__(self, root: Path, area: Area, options: list[str]) -> None:
        self._root = root
        self._paths = [path for path in area.tests if (root / path).exists()]
        self._options = options

    def run(self, limit: float) -> tuple[str, float]:
        """Run the tests; return what came of them, empty if all passed, and their processor time.

        They end after `limit` seconds of it, however busy the machine is.
        """
        shutil.rmtree(self._root / ".hypothesis", ignore_errors=True)
        # What measures clocks is left out: it would fall on a busy machine, and not on the mutation.
        only = ["-n", "0", "-m", "not slow and not clocks", "--hypothesis-seed=0", "--tb=no"]
        before = _processor_seconds()
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", *only, *self._options, *self._paths],
                cwd=self._root,
                env={**os.environ, "PYTHONPATH": str(self._root), "PYTHONDONTWRITEBYTECODE": "1"},
                capture_output=True,
                text=True,
                timeout=_PATIENCE * limit,
                preexec_fn=partial(resource.setrlimit, resource.RLIMIT_CPU, (ceil(limit), ceil(limit))),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "no end", _processor_seconds() - before
        took = _processor_seconds() - before
        if done.returncode < 0:
            return f"no end after {limit:.0f} s of processor time", took
        if done.returncode == 0:
            return "", took
        failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        return f"{len(failed)} failed: {failed[0] if failed else done.stdout[-200:]}", took

    def run_with(self, mutation: Mutation, limit: float) -> tuple[str, float]:
        """Run the tests with a mutation, and take it back."""
        file = self._root / mutation.module
        text = file.read_text(encoding="utf-8")
        file.write_text(mutation.apply(text), encoding="utf-8")
        try:
            return self.run(limit)
        finally:
            file.write_text(text, encoding="utf-8")


def main() -> int:
    """Draw mutations, try each one, and print what became of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("--count", type=int, default=30, help="mutations altogether (default: 30)")
    parser.add_argument("--seed", default="papayoo", help="what draws them (default: papayoo)")
    parser.add_argument("--area", action="append", help="only these areas, e.g. rules; may be repeated")
    parser.add_argument("--all", action="store_true", help="run every test, to count all that fall")
    parser.add_argument("--list", action="store_true", help="print the mutations, and run nothing")
    options = parser.parse_args()
    drawn = draw(ROOT, options.seed, options.count)
    areas = [area for area in AREAS if not options.area or area.name in options.area]
    if options.list:
        print("\n".join(str(mutation) for area in areas for mutation in drawn[area.name]))
        return 0
    tried: list[str] = []
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
        for area in areas:
            trial = Trial(copy, area, [] if options.all else ["-x"])
            result, took = trial.run(600)
            if result:
                print(f"{area.name}: the tests fail without any mutation: {result}")
                return 2
            print(f"{area.name}: {took:.0f} s", flush=True)
            for mutation in drawn[area.name]:
                result, took = trial.run_with(mutation, 3 * took + 60)
                print(f"  {'caught  ' if result else 'SURVIVED'}  {mutation}")
                print(f"            {result or 'all passed'} ({took:.0f} s)", flush=True)
                tried.append(result)
    survivors = tried.count("")
    print(f"{len(tried)} mutations: {len(tried) - survivors} caught, {survivors} survived")
    return 0


if __name__ == "__main__":
    sys.exit(main())
