"""The profile: the referee's processor time for a decision, divided by what each part costs alone.

Each part is measured without the others. What no part explains is the remainder: deadlines, the watchdog,
switching tasks, waking up, seating and starting up. A profiler in the referee would tell more, but it would
slow down most what is called most.
"""

from __future__ import annotations

from typing import Final

from arena.bench import live, parts, raw, stored
from arena.bench.figures import Figure, Measure, Section

__all__ = ["profile_of"]

_WHOLE: Final = Measure("whole_us", "all of it", "us")
_RULES: Final = Measure("rules_us", "rules", "us")
_QUESTIONS: Final = Measure("questions_us", "state machine: questions, news, answers", "us")
_CODEC: Final = Measure("codec_us", "codec: ids, base64, reading answers", "us")
_IO: Final = Measure("io_us", "IO: system calls of a raw round trip", "us")
_CLOCK: Final = Measure("clock_us", "clock: when it was asked and answered", "us")
_RECORD: Final = Measure("record_us", "records for the coordinator", "us")
_REST: Final = Measure("rest_us", "remainder: deadlines, watchdog, waiting, tasks", "us")
_STORE: Final = Measure("store_us", "beside it, the coordinator: store", "us")
_SHARE: Final = Measure("store_share", "store / all of the referee's", "x")


def profile_of(table: Section, trips: Section, alone: Section, store: Section) -> Section:
    """Return a table's cost a decision by part, turn by turn. All sections must come from one run."""
    whole = table.figure(live.REFEREE_CPU.key).samples
    rules = alone.figure(parts.RULES_US.key).samples
    machine = alone.figure(parts.MATCH.key).samples
    codec = alone.figure(parts.CODEC.key).samples
    clock = alone.figure(parts.CLOCK.key).samples
    record = alone.figure(parts.RECORD.key).samples
    io = trips.figure(raw.CPU.key).samples
    cost = store.figure(stored.STORE_CPU.key).samples
    turns = list(zip(whole, rules, machine, codec, io, clock, record, cost, strict=True))
    figures = (
        Figure(_WHOLE, whole),
        Figure(_RULES, rules),
        # The state machine is measured with the rules inside it.
        Figure(_QUESTIONS, tuple(m - r for _, r, m, *_ in turns)),
        Figure(_CODEC, codec),
        Figure(_IO, io),
        Figure(_CLOCK, clock),
        Figure(_RECORD, record),
        Figure(_REST, tuple(w - m - c - i - t - k for w, _, m, c, i, t, k, _ in turns)),
        Figure(_STORE, cost),
        Figure(_SHARE, tuple(s / w for w, *_, s in turns)),
    )
    return Section(f"profile_{table.name}", f"{table.title}: referee's CPU a decision by part", figures)
