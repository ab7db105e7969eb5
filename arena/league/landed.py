"""The one table of what a league file may ask for and the arena cannot do yet.

A key given in the file that is listed here is refused by name, never accepted and ignored. When a feature
lands, delete its line: nothing else knows about it. Defaults that must wait for a feature wait here too
(`until_then`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

MOST_LINE_UPS_OF_ALL = 100
"""`line_ups = "auto"` plays every line-up up to this many, and a balanced choice of them above."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What is not there yet of a key: all of it, or all values but `works`; `until_then` is its default."""

    works: tuple[object, ...] = ()
    until_then: str | None = None

    def refuses(self, value: object) -> bool:
        """Whether the file asks for something that is missing. Lists are compared without their order."""
        return not any(_same(value, good) for good in self.works)


def _same(value: object, good: object) -> bool:
    if isinstance(value, list) and isinstance(good, tuple):
        return len(value) == len(good) and all(item in value for item in good)
    return type(value) is type(good) and value == good


_FEWER_BOTS = "fewer bots than seats"  # not a key but a size of league: a duel, or seats filled by house bots

NOT_LANDED: Mapping[str, Missing] = {
    "time.build_seconds": Missing(),
    "faults.disqualify_share": Missing(),
    "faults.disqualify_after": Missing(),
    "schedule.stop": Missing(works=("cycles",)),
    "schedule.line_ups": Missing(works=("auto", "all")),
    "schedule.max_hours": Missing(),
    "process.tables": Missing(works=(1,)),
    "sandbox.mode": Missing(works=("off",), until_then="off"),
    "sandbox.memory_mib": Missing(),
    "sandbox.processes": Missing(),
    "sandbox.open_files": Missing(),
    "sandbox.file_size_mib": Missing(),
    "sandbox.tmp_mib": Missing(),
    "sandbox.cpu_seconds": Missing(),
    "sandbox.read_only": Missing(),
    "sandbox.user": Missing(),
    "report.replays": Missing(works=("auto", "all")),
    "report.publish": Missing(works=(("replays", "faults"),)),
    "report.reveal": Missing(works=("session",)),
    "bots.build": Missing(works=((),)),
    "bots.role": Missing(works=("entrant",)),
    "bots.threads": Missing(works=(1,)),
    "bots.memory_mib": Missing(),
    "store.url": Missing(works=("sqlite",)),  # of a url, only its scheme is compared
    _FEWER_BOTS: Missing(),
}


def default_for_now(path: str, default: str) -> str:
    """The default of a key: `default`, unless its feature is still missing."""
    missing = NOT_LANDED.get(path)
    return default if missing is None or missing.until_then is None else missing.until_then


def refused_value(path: str, value: object) -> str | None:
    """Why a given value cannot be had yet, for people; None when it can. `path` is dotted, "bots.threads"."""
    missing = NOT_LANDED.get(path)
    if missing is None:
        return None
    name = path.partition(".")[2]
    if path == "store.url":
        name, value = "the scheme of url", str(value).partition(":")[0].partition("+")[0]
    if not missing.refuses(value):
        return None
    return f"{name} = {_shown(value)} is not supported yet" + _instead(name, missing)


def _instead(name: str, missing: Missing) -> str:
    if not missing.works:
        return "; remove the key"
    return "; for now: " + " or ".join(f"{name} = {_shown(good)}" for good in missing.works)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_shown(item) for item in value) + "]"
    return str(value)


def refused_field(seats: int, bots: int, line_ups: str) -> tuple[str, str] | None:
    """The key and the reason why a league of this size cannot be played yet; None when it can."""
    if _FEWER_BOTS in NOT_LANDED and bots < seats:
        return "bots", f"{_count(bots)} for {seats} seats: fewer bots than seats is not supported yet"
    several = comb(bots, seats)
    balanced = line_ups == "auto" and several > MOST_LINE_UPS_OF_ALL
    if balanced and refused_value("schedule.line_ups", "balanced") is not None:
        return "schedule.line_ups", (
            f'{bots} bots at {seats} seats have {several} line-ups, so "auto" means "balanced", which is not '
            f'supported yet; write line_ups = "all" to play every line-up in each cycle'
        )
    return None


def _count(bots: int) -> str:
    return "1 bot" if bots == 1 else f"{bots} bots"
