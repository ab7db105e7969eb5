"""`arena bench`: how fast the arena is on this machine."""

from __future__ import annotations

import json
import sys

import click

from arena.cli.helping import as_json, examples

__all__ = ["bench"]


@click.command(epilog=examples("arena bench --quick", "arena bench --seats 5 --repeats 15 --json"))
@click.option("--quick", is_flag=True, help="Fewer and shorter samples: done within ten seconds.")
@click.option("--seats", default=4, show_default=True, metavar="N", help="Seats of the table, 3 to 8.")
@click.option("--repeats", type=int, metavar="N", help="Samples of each figure.  [default: 7; quick: 3]")
@click.option("--core", type=int, metavar="N", help="Core that all share.  [default: the highest usable]")
@as_json
def bench(quick: bool, seats: int, repeats: int | None, core: int | None, as_json: bool) -> None:
    """Measure the arena on this machine.

    Plays real matches through a real referee process with bots that hardly think, and compares them
    with a raw ping-pong over the same pipes: what a question and its answer cost at least. Measures
    the parts of the referee and the store as well. Everything happens in a temporary folder.
    """
    from arena.bench import Options, highest_core, report_data, report_text, run

    if core is None:
        core = highest_core()
    if repeats is None:
        repeats = 3 if quick else 7
    sessions, round_trips = (1, 2000) if quick else (4, 10_000)
    options = Options(seats, repeats, sessions, round_trips, core)
    with click.progressbar(length=options.repeats, label="Measuring", file=sys.stderr) as bar:
        report = run(options, lambda turn: bar.update(1))
    click.echo(json.dumps(report_data(report), indent=2) if as_json else report_text(report))
