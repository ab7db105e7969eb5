"""`arena bench`: how fast the arena is on this machine."""

from __future__ import annotations

import click

__all__ = ["bench"]


@click.command(
    epilog="""\b
Examples:
  arena bench --quick
  arena bench --seats 5 --repeats 15 --json > bench.json"""
)
@click.option("--quick", is_flag=True, help="Fewer and shorter samples: done within ten seconds.")
@click.option("--seats", default=4, show_default=True, metavar="N", help="Seats of the table, 3 to 8.")
@click.option("--repeats", type=int, metavar="N", help="Samples of each figure.  [default: 7; quick: 3]")
@click.option("--core", type=int, metavar="N", help="Core that all share.  [default: the highest usable]")
@click.option("--json", "as_data", is_flag=True, help="Print JSON, with every sample.")
def bench(quick: bool, seats: int, repeats: int | None, core: int | None, as_data: bool) -> None:
    """Measure the arena on this machine.

    Plays real matches through a real referee process with bots that hardly think, and compares them
    with a raw ping-pong over the same pipes: what a question and its answer cost at least. Measures
    the parts of the referee and the store as well. Everything happens in a temporary folder.
    """
    import json
    import os

    from arena.bench import Options, as_json, as_text, run

    if core is None and hasattr(os, "sched_getaffinity"):
        core = max(os.sched_getaffinity(0))
    sessions, round_trips = (1, 2000) if quick else (4, 10_000)
    options = Options(seats, repeats or (3 if quick else 7), sessions, round_trips, core)
    with click.progressbar(length=options.repeats, label="Measuring", file=click.get_text_stream("stderr")) as bar:
        report = run(options, lambda turn: bar.update(1))
    click.echo(json.dumps(as_json(report), indent=2) if as_data else as_text(report))
