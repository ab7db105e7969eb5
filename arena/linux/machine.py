"""A machine that matches are played on: its hardware, and what of the arena is installed there."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from arena.linux.installation import is_compiled


@dataclass(frozen=True, slots=True)
class Host:
    """A machine, and what of the arena is installed there. Pages must not show its name.

    `name`: its own, and `machine` tells it from others of that name; both are empty for the machine of a run
    without a cluster. `cores`: those that the arena may use. `compiled`: whether its referee is. `sandbox`:
    its level, or "off". `arena`, `python`: versions.
    """

    name: str
    machine: str
    processor: str
    cores: int
    compiled: bool
    sandbox: str
    arena: str
    python: str


def this_host(sandbox: str, name: str = "", machine: str = "") -> Host:
    """Return what is stored of the machine that this process runs on. `sandbox`: its level there, or "off".

    Without a cluster it has no name, for pages and copies of a league on one machine must not name it.
    """
    return Host(
        name=name,
        machine=machine,
        processor=processor(),
        cores=len(os.sched_getaffinity(0)),
        compiled=is_compiled(),
        sandbox=sandbox,
        arena=version("papayoo-arena"),
        python=platform.python_version(),
    )


def processor() -> str:
    """Return the name of the processor's model, or "" where the system does not tell it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
