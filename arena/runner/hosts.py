"""What is stored of a host of a run, this machine or one of a cluster. It stores nothing."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version

from arena.cluster.frames import Facts
from arena.linux.installation import is_compiled
from arena.linux.machine import processor
from arena.store.history import Host

__all__ = ["host_of", "this_host"]


def this_host(sandbox: str) -> Host:
    """Return what is stored of the machine that the run is on. `sandbox`: its level there, or "off".

    It has no name, for pages and copies of a league on one machine must not name it.
    """
    return Host(
        name="",
        machine="",
        processor=processor(),
        cores=len(os.sched_getaffinity(0)),
        compiled=is_compiled(),
        sandbox=sandbox,
        arena=version("papayoo-arena"),
        python=platform.python_version(),
    )


def host_of(facts: Facts) -> Host:
    """Return what is stored of a host of a cluster, from what it says of itself."""
    return Host(
        name=facts.name,
        machine=facts.host,
        processor=facts.processor,
        cores=facts.cores,
        compiled=facts.compiled,
        sandbox=facts.sandbox,
        arena=facts.arena,
        python=facts.python,
    )
