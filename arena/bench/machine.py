"""The machine under a benchmark: what it is, which core is used, what a process has used. Linux only."""

from __future__ import annotations

import os
import platform
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from arena.linux.installation import is_compiled

__all__ = ["Machine", "cpu_us", "highest_core", "memory_kib", "this_machine"]

_WHOLE_PROCESS = 2
"""Linux's clock number for the processor time of all threads of a process (see clock_getcpuclockid(3))."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Without this line no figure means anything."""

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
    """The machine this runs on; `cores` are those that this process may use."""
    uname = platform.uname()
    return Machine(
        processor=_processor() or uname.machine,
        cores=len(os.sched_getaffinity(0)),
        system=f"{uname.system} {uname.release}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        referee="compiled" if is_compiled() else "interpreted",
    )


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return ""


def highest_core() -> int | None:
    """The last core that this process may use: the system's own work gathers on the first. None elsewhere."""
    return max(os.sched_getaffinity(0)) if sys.platform == "linux" else None


def cpu_us(pid: int) -> float:
    """The processor time of a living process so far, in microseconds. Raises OSError once it is gone."""
    return time.clock_gettime_ns((~pid << 3) | _WHOLE_PROCESS) / 1000


def memory_kib(pid: int, field: str = "VmRSS") -> int:
    """Resident memory of a living process now, or at most (`VmHWM`); 0 where it cannot be read."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key == field:
            return int(value.split()[0])
    return 0
