"""`arena bench`: measures how fast the arena or one bot is on this machine; words the result for a bot.

Must not measure anything itself.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Unpack

import click

from arena.cli.layout import columns, plain
from arena.cli.options import (
    BotWishes,
    as_json,
    bot_options,
    bots_ready,
    complete_bot,
    examples,
    seconds_option,
)

if TYPE_CHECKING:
    from arena.workbench.timing import Load, Timing

__all__ = ["bench", "timing_json", "timing_text"]

_MOST_BOTS = 128
"""The most bots at one referee unless --tables asks for more; Python takes some ten megabytes for each."""

_MOST_SLOTS = 10_000
_MIB = 1 << 20
_SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99, "longest": 1.0}


class _Wishes(BotWishes):
    """See the help of each option."""

    quick: bool
    seats: int
    repeats: int | None
    core: int | None
    seconds: float | None
    tables: int | None
    store: str | None
    slots: tuple[int, ...] | None
    review: bool
    move_seconds: float
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
        "arena bench sharp",
        "arena bench mybot --seconds 10 --tables 4",
        "arena bench --store postgresql+psycopg://host/empty",
        "arena bench --slots 2,100,1000",
        "arena bench --review",
    )
)
@click.argument("bot", required=False, shell_complete=complete_bot)
@click.option("--quick", is_flag=True, help="Fewer and shorter samples: done within half a minute.")
@click.option("--seats", default=4, show_default=True, metavar="N", help="Seats of the table, 3 to 8.")
@click.option("--repeats", type=int, metavar="N", help="Samples of each figure.  [default: 7; quick: 2]")
@click.option("--core", type=int, metavar="N", help="Core for all processes.  [default: the highest usable]")
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    help="With BOT: seconds of each measurement.  [default: 3; quick: 1]",
)
@click.option(
    "--tables",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Most tables at the same time.  [default: 32; quick: 4; with BOT: as many as cores]",
)
@click.option(
    "--store", metavar="ADDRESS", help="Measure only the store: in a file, and in this empty database."
)
@click.option(
    "--slots",
    metavar="N,...",
    callback=_slot_numbers,
    help="Measure only the coordinator, with so many slots of a cluster that answer at once.",
)
@click.option(
    "--review", is_flag=True, help="Measure only the review of decisions: one seat in one match, on one core."
)
@seconds_option("--move-seconds", 1.0, "With BOT: time for one pass or one play.")
@bot_options
@as_json
def bench(bot: str | None, **wishes: Unpack[_Wishes]) -> None:
    """Measure the speed of the arena on this machine, or with BOT that of one bot.

    Without BOT: plays real matches through a real referee process, with bots that hardly think. Compares them
    with a raw ping-pong over the same pipes, which is the least that a question and its answer can cost.
    Measures one table, up to 32 at once (on one core and on any, with 128 bots and with 16 that play at all
    of them), two referees against one, the parts of the referee, and the store. The figure to watch is the
    processor time per decision; the others need a quiet machine. Takes about four minutes and 2 GB, with
    --tables 64 twice as much of both. Leaves no files behind. docs/speed.md explains every figure.

    With --slots: has a coordinator take 12,000 matches, three times (--repeats), from slots that answer at
    once with matches that were played beforehand. docs/cluster.md says what follows from it.

    With BOT (a sample, a folder, a file, or a command in quotes): measures the time of its decisions, its
    start-up, its memory, and how many decisions a second it makes at one table and at several at once, with a
    process for each. It plays real matches through real referees, with the stand-in at all other seats.
    """
    if wishes["slots"] is not None:
        _of_coordinator(wishes["slots"], wishes)
    elif wishes["review"]:
        _of_review(wishes)
    elif wishes["store"] is not None:
        _of_store(wishes["store"], wishes)
    elif bot is None:
        _of_arena(wishes)
    else:
        _of_bot(bot, wishes)


def _of_store(address: str, wishes: _Wishes) -> None:
    from arena.bench.stores import store_costs
    from arena.league.texts import database_address

    try:
        named = database_address(address)
    except ValueError as error:
        raise click.UsageError(f"--store: a database address: {error}") from error
    costs = store_costs(named, wishes["seats"], wishes["repeats"] or (2 if wishes["quick"] else 7))
    told = [asdict(cost) for cost in costs]
    click.echo(json.dumps(told, indent=2) if wishes["as_json"] else "\n".join(cost.text for cost in costs))


def _of_coordinator(numbers: tuple[int, ...], wishes: _Wishes) -> None:
    from arena.bench.machine import this_machine
    from arena.workbench.coordinating import coordinate_each

    measured = coordinate_each(numbers, wishes["repeats"] or (1 if wishes["quick"] else 3))
    if wishes["as_json"]:
        click.echo(json.dumps([asdict(each) for each in measured], indent=2))
    else:
        click.echo("\n".join([str(this_machine()), *(each.text for each in measured)]))


def _of_review(wishes: _Wishes) -> None:
    from arena.bench import highest_core, section_data, section_text
    from arena.bench.machine import this_machine
    from arena.bench.reviewing import review_speed

    if not 3 <= wishes["seats"] <= 8:
        raise click.UsageError(f"{wishes['seats']} seats: expected 3 to 8")
    core = highest_core() if wishes["core"] is None else wishes["core"]
    measured = review_speed(wishes["seats"], wishes["repeats"] or (1 if wishes["quick"] else 3), core)
    if wishes["as_json"]:
        click.echo(json.dumps(section_data(measured), indent=2))
    else:
        click.echo(section_text(measured, str(this_machine())))


def _of_arena(wishes: _Wishes) -> None:
    from arena.bench import Options, highest_core, report_data, report_text, run

    if wishes["seconds"] is not None:
        raise click.UsageError("--seconds works only with BOT, and none is named")
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


def _of_bot(given: str, wishes: _Wishes) -> None:
    from arena.match.record import Terms
    from arena.workbench.timing import Plan, time_bot

    if wishes["repeats"] is not None or wishes["core"] is not None:
        raise click.UsageError("--repeats and --core work only without BOT")
    if not 3 <= wishes["seats"] <= 8:
        raise click.UsageError(f"{wishes['seats']} seats: expected 3 to 8")
    seconds = wishes["seconds"] or (1.0 if wishes["quick"] else 3.0)
    tables = wishes["tables"] or len(os.sched_getaffinity(0))
    terms = Terms(max(1, round(wishes["move_seconds"] * 1000)), 0, 40, 3)
    with bots_ready([given], wishes) as (bot,):
        with click.progressbar(length=3, label="Measuring", file=sys.stderr) as bar:
            timing = time_bot(bot, Plan(wishes["seats"], seconds, tables, terms), lambda: bar.update(1))
        data = wishes["as_json"]
        click.echo(json.dumps(timing_json(timing), indent=2) if data else timing_text(timing))


def timing_text(timing: Timing) -> str:
    """Return the result as a few lines of text."""
    from arena.bench.machine import this_machine

    one, many, plan = timing.one, timing.many, timing.plan
    rows = [
        (
            "time per decision",
            "   ".join(f"{name} {_ms(one.quantile(share))}" for name, share in _SHARES.items()),
        ),
        ("processor time", f"{_ms(one.cpu_us / max(1, len(one.took_us)))} a decision"),
        ("start-up", f"{timing.start_seconds:.3f} s to be ready, the median of three"),
        ("memory", f"{timing.ready_memory / _MIB:.1f} MiB when ready, {one.memory / _MIB:.1f} MiB at most"),
        ("decisions a second", _rates(one, many)),
        ("faults", _faults([*one.faults, *(many.faults if many is not one else [])])),
    ]
    head = (
        f"{plain(timing.bot.name)}: {len(one.took_us):,} decisions at a table of {plan.seats}, "
        "the stand-in at the other seats"
    )
    return "\n".join([head, str(this_machine()), "", *columns(rows)])


def _ms(microseconds: float) -> str:
    return f"{microseconds / 1000:.3f} ms" if microseconds < 100_000 else f"{microseconds / 1e6:.3f} s"


def _rates(one: Load, many: Load) -> str:
    text = f"{one.per_second:,.0f} at one table"
    if many is one:
        return text
    return f"{text}, {many.per_second:,.0f} at {many.tables} tables at once (a process each)"


def _faults(faults: list[str]) -> str:
    return f"{len(faults)}, the first: {plain(faults[0])}" if faults else "none"


def timing_json(timing: Timing) -> dict[str, object]:
    """Return all of it as plain data; times in microseconds unless the key says otherwise."""
    from arena.bench.machine import this_machine

    return {
        "bot": timing.bot.name,
        "machine": asdict(this_machine()),
        "seats": timing.plan.seats,
        "start_seconds": timing.start_seconds,
        "ready_memory_bytes": timing.ready_memory,
        "one_table": _load_json(timing.one),
        "many_tables": None if timing.many is timing.one else _load_json(timing.many),
    }


def _load_json(load: Load) -> dict[str, object]:
    return {
        "tables": load.tables,
        "decisions": len(load.took_us),
        "decisions_per_second": load.per_second,
        "decision_us": {name: load.quantile(share) for name, share in _SHARES.items()},
        "cpu_us_per_decision": load.cpu_us / max(1, len(load.took_us)),
        "memory_bytes": load.memory,
        "faults": load.faults,
    }
