"""`python -m arena.bench`: measures what the arena costs on this machine, and prints it.

All probes are sampled in turn, again and again, so that a busy moment of the machine affects all alike and
figures of one run can be compared.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click

from arena.bench.coordinator import Coordinated
from arena.bench.tables import Tables, bots_that_hardly_think
from arena.linux.installation import is_compiled
from arena.linux.machine import processor

_CYCLES = 75
"""The cycles of the league that a coordinator plays: 12,000 matches."""


@click.command()
@click.option("--quick", is_flag=True, help="Fewer and shorter samples: done within half a minute.")
@click.option("--seats", type=click.IntRange(3, 8), default=4, show_default=True, help="Seats of a table.")
@click.option("--repeats", type=click.IntRange(1), help="Samples of each figure.  [default: 7; quick: 2]")
@click.option("--core", type=int, help="Core of a referee and its bots.  [default: the highest usable]")
@click.option(
    "--tables",
    type=click.IntRange(1, 64),
    multiple=True,
    default=(1, 8),
    show_default=True,
    help="Tables at once; repeatable.",
)
@click.option(
    "--slots", type=click.IntRange(1, 10_000), multiple=True, default=(2,), show_default=True,
    help="Slots of one coordinator; repeatable.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print every sample as JSON.")
def main(
    quick: bool,
    seats: int,
    repeats: int | None,
    core: int | None,
    tables: tuple[int, ...],
    slots: tuple[int, ...],
    as_json: bool,
) -> None:
    """Measure what the arena costs on this machine: a decision, a match that is stored, the pages.

    Plays real matches through a real referee, with bots that hardly think, at one table and at several. Then
    a coordinator stores a league whose matches were played beforehand, and its pages are written. The figures
    to watch are the processor times; decisions and matches a second need a quiet machine. Leaves no files
    behind. docs/speed.md explains every figure.
    """
    usable = sorted(os.sched_getaffinity(0))
    core = usable[-1] if core is None else core  # the system's own work gathers on the first
    if core not in usable:
        raise click.UsageError(f"core {core} cannot be used here; these can: {', '.join(map(str, usable))}")
    samples: dict[str, list[dict[str, float]]] = {}
    with TemporaryDirectory(prefix="arena-bench-") as folder, ExitStack() as stack:
        Path(folder).chmod(0o755)
        probes: dict[str, Callable[[], dict[str, float]]] = {}
        for language, bot in bots_that_hardly_think(Path(folder)).items():
            for number in tables:
                name = f"{number} {'table' if number == 1 else 'tables'} of {seats} {language} bots"
                table = Tables(bot, seats, number, core, 1 if quick else 4)
                probes[name] = stack.enter_context(table).sample
        for number in slots:
            name = f"a coordinator of {number:,} slots, whose matches were played beforehand"
            probes[name] = Coordinated(number, 5 if quick else _CYCLES).sample
        turns = [*probes.items()] * (repeats or (2 if quick else 7))
        with click.progressbar(turns, label="Measuring", file=sys.stderr) as bar:
            for name, sample in bar:
                samples.setdefault(name, []).append(sample())
    machine = _machine()
    found = {
        name: {figure: [one[figure] for one in taken] for figure in taken[0]}
        for name, taken in samples.items()
    }
    click.echo(json.dumps({"machine": machine, **found}, indent=2) if as_json else _text(machine, found))


def _machine() -> str:
    """Return a description of this machine, without which no figure means anything."""
    cores = len(os.sched_getaffinity(0))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    kind = "compiled" if is_compiled() else "interpreted"
    return f"{processor()}, {cores} cores, {platform.system()} {platform.release()}, {python}, {kind}"


def _text(machine: str, found: dict[str, dict[str, list[float]]]) -> str:
    lines = [machine, f"{'':40}{'median':>12}{'least':>12}{'most':>12}"]
    for name, figures in found.items():
        lines += ["", name]
        for figure, values in figures.items():
            shown = "".join(f"{value:12,.1f}" for value in (median(values), min(values), max(values)))
            lines.append(f"  {figure:38}{shown}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
