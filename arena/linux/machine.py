"""The machine that a league is played on: versions and hardware, noted in the league's log when they change.

It must not name a person or a place, because pages show it.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

SUBJECT = "machine"
"""The subject of these lines in the log."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The versions, the processor and the cores that a run had.

    `league_file`: its name without folders. `cores`: those that the run may use. `memory_mib`: of the whole
    machine. `processor` is empty and `memory_mib` 0 where the machine does not tell.
    """

    arena: str
    python: str
    sqlite: str
    platform: str
    processor: str
    cores: int
    memory_mib: int
    league_file: str

    def to_text(self) -> str:
        """Return the text of a line of the log, as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)


def this_machine(league_file: str) -> Machine:
    """Return the machine that this process runs on."""
    return Machine(
        arena=version("papayoo-arena"),
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
        platform=f"{platform.system()} {platform.machine()}",
        processor=processor(),
        cores=len(os.sched_getaffinity(0)),
        memory_mib=int(_told(Path("/proc/meminfo"), "MemTotal").partition(" ")[0] or 0) // 1024,
        league_file=league_file,
    )


def processor() -> str:
    """Return the name of the processor's model, or "" where the system does not tell it."""
    return _told(Path("/proc/cpuinfo"), "model name")


def _told(file: Path, key: str) -> str:
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), "")


def machines_of(texts: Iterable[str]) -> list[Machine]:
    """Return the machines that `to_text` wrote, in the same order. Texts that cannot be read are left out."""
    found = []
    for text in texts:
        try:
            found.append(Machine(**json.loads(text)))
        except (ValueError, TypeError):
            continue
    return found
