"""`arena bench`: measures how fast the arena is on this machine.

Must not measure anything itself.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TypedDict, Unpack

import click

from arena.cli.options import as_json, examples

__all__ = ["bench"]

_MOST_BOTS = 128
"""The most bots at one referee unless --tables asks for more; Python takes some ten megabytes for each."""

_MOST_SLOTS = 10_000


class _Wishes(TypedDict):
    """See the help of each option."""

    quick: bool
    seats: int
    repeats: int | None
    core: int | None
    tables: int | None
    slots: tuple[int, ...] | None
    as_json: bool


def _slot_numbers(_: click.Context, option: click.Parameter, given: str | None) -> tuple[int, ...] | None:
    """Return the numbers in the text of --slots."""
    if given is None:
        return None
    try:
        numbers = tuple(int(part) for part in given.split(","))
    except ValueError:
        numbers = (0,)
    if not all(1 <= number <= _MOST_SLOTS for number in numbers):
        raise click.BadParameter(
            f"{given!r}: expected numbers from 1 to {_MOST_SLOTS:,}, with commas between them, such as 2,100"
        )
    return numbers


@click.command(
    epilog=examples(
        "arena bench --quick",
        "arena bench --seats 5 --repeats 15 --json",
        "arena bench --slots 2,100,1000",
    )
)
@click.option("--quick", is_flag=True, help="Fewer and shorter samples: done within half a minute.")
@click.option("--seats", default=4, show_default=True, metavar="N", help="Seats of the table, 3 to 8.")
@click.option("--repeats", type=int, metavar="N", help="Samples of each figure.  [default: 7; quick: 2]")
@click.option("--core", type=int, metavar="N", help="Core for all processes.  [default: the highest usable]")
@click.option(
    "--tables",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Most tables at the same time.  [default: 32; quick: 4]",
)
@click.option(
    "--slots",
    metavar="N,...",
    callback=_slot_numbers,
    help="Measure only the coordinator, with so many slots of a cluster that answer at once.",
)
@as_json
def bench(**wishes: Unpack[_Wishes]) -> None:
    """Measure the speed of the arena on this machine.

    Plays real matches through a real referee process, with bots that hardly think. Compares them
    with a raw ping-pong over the same pipes, which is the least that a question and its answer can cost.
    Measures one table, up to 32 at once (on one core and on any, with 128 bots and with 16 that play at all
    of them), two referees against one, the parts of the referee, and the store. The figure to watch is the
    processor time per decision; the others need a quiet machine. Takes about four minutes and 2 GB, with
    --tables 64 twice as much of both. Leaves no files behind. docs/speed.md explains every figure.

    With --slots: has a coordinator take 12,000 matches, three times (--repeats), from slots that answer at
    once with matches that were played beforehand. docs/cluster.md says what follows from it.
    """
    if wishes["slots"] is None:
        _of_arena(wishes)
    else:
        _of_coordinator(wishes["slots"], wishes)


def _of_coordinator(numbers: tuple[int, ...], wishes: _Wishes) -> None:
    from arena.bench.machine import this_machine
    from arena.workbench.coordinating import coordinate_each

    measured = coordinate_each(numbers, wishes["repeats"] or (1 if wishes["quick"] else 3))
    if wishes["as_json"]:
        click.echo(json.dumps([asdict(each) for each in measured], indent=2))
    else:
        click.echo("\n".join([str(this_machine()), *(each.text for each in measured)]))


def _of_arena(wishes: _Wishes) -> None:
    from arena.bench import Options, highest_core, report_data, report_text, run

    quick, core, repeats = wishes["quick"], wishes["core"], wishes["repeats"]
    if core is None:
        core = highest_core()
    if repeats is None:
        repeats = 2 if quick else 7
    sessions, round_trips = (1, 2000) if quick else (4, 10_000)
    seats = wishes["seats"]
    at_once = _numbers((1, 4) if quick else (1, 2, 4, 8, 32), wishes["tables"], seats)
    options = Options(seats, repeats, sessions, round_trips, core, at_once)
    with click.progressbar(length=100, label="Measuring", file=sys.stderr) as bar:
        report = run(options, lambda part: bar.update(round(100 * part) - bar.pos))
    click.echo(json.dumps(report_data(report), indent=2) if wishes["as_json"] else report_text(report))


def _numbers(usual: tuple[int, ...], most: int | None, seats: int) -> tuple[int, ...]:
    """Return the numbers of tables to measure: the usual ones up to `most`, or as `_MOST_BOTS` allows."""
    if most is None:
        return tuple(number for number in usual if number * seats <= _MOST_BOTS)
    return (*(number for number in usual if number < most), most)
