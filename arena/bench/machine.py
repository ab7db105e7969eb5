"""The machine under a benchmark: its description, the core to use, the use of a process. Linux only."""

from __future__ import annotations

import os
import platform
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from arena.linux.cpu_ledger import process_clock
from arena.linux.installation import is_compiled
from arena.linux.machine import processor

__all__ = ["Machine", "cpu_us", "highest_core", "memory_kib", "this_machine"]


@dataclass(frozen=True, slots=True)
class Machine:
    """A description of the machine, without which no figure means anything."""

    processor: str
    cores: int
    system: str
    python: str
    referee: str
    """`compiled` or `interpreted`, see `arena.linux.installation`."""

    def __str__(self) -> str:
        machine = f"{self.processor}, {self.cores} cores, {self.system}, {self.python}"
        return f"{machine}, the referee {self.referee}"


def this_machine() -> Machine:
    """Return a description of this machine; `cores` counts those that this process may use."""
    uname = platform.uname()
    return Machine(
        processor=processor() or uname.machine,
        cores=len(os.sched_getaffinity(0)),
        system=f"{uname.system} {uname.release}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        referee="compiled" if is_compiled() else "interpreted",
    )


def highest_core() -> int | None:
    """Return the last core that this process may use, or None where that is unknown.

    The last one, because the system's own work gathers on the first.
    """
    return max(os.sched_getaffinity(0)) if sys.platform == "linux" else None


def cpu_us(pid: int) -> float:
    """Return the processor time of a living process so far, in microseconds. Raises OSError if it is gone."""
    # The clock of the process, since /proc/PID/stat counts in hundredths of a second.
    return time.clock_gettime_ns(process_clock(pid)) / 1000


def memory_kib(pid: int, field: str = "VmRSS") -> int:
    """Return the resident memory of a living process in KiB, now (`VmRSS`) or at most (`VmHWM`).

    Returns 0 where it cannot be read.
    """
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key == field:
            return int(value.split()[0])
    return 0
