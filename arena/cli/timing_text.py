"""How fast a bot is, as text for people and as data. Measures nothing."""

from __future__ import annotations

from dataclasses import asdict

from arena.bench.machine import this_machine
from arena.cli.layout import columns, plain
from arena.workbench.timing import Load, Timing

__all__ = ["timing_json", "timing_text"]

_MIB = 1 << 20
_SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99, "longest": 1.0}


def timing_text(timing: Timing) -> str:
    """A few lines for people."""
    one, many, plan = timing.one, timing.many, timing.plan
    rows = [
        (
            "time per decision",
            "   ".join(f"{name} {_ms(one.quantile(share))}" for name, share in _SHARES.items()),
        ),
        ("processor time", f"{_ms(one.cpu_us / max(1, len(one.took_us)))} a decision"),
        ("start-up", f"{timing.start_seconds:.3f} s to be ready, the middle of three"),
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
    """All of it as plain data; times in microseconds unless the key says otherwise."""
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
