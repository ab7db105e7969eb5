"""What is stored of a host of a run, this machine or one of a cluster. It measures and stores nothing."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib.metadata import version

from arena.cluster.orders import Facts
from arena.linux.installation import is_compiled
from arena.linux.machine import processor
from arena.store.history import Host

__all__ = ["host_of", "this_host", "too_slow"]

_SLOWER_PERCENT = 110
"""How many hundredths of the quickest host's time a host may take to be alike."""


def this_host(sandbox: str) -> Host:
    """Return what is stored of the machine that the run is on. `sandbox`: its level there, or "off".

    It has no name, for pages and copies of a league on one machine must not name it. Its pace is not
    measured, because it is compared with none.
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
        pace_us=0,
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
        pace_us=facts.pace_us,
    )


def too_slow(wanted: str, paces: Mapping[str, int]) -> frozenset[str]:
    """Return which hosts may not play: with "alike" those more than 10 % slower than the quickest of them.

    `wanted`: [process] hosts, "any" or "alike". `paces`: what `arena.cluster.pace` has measured on each, in
    microseconds, by any name. Bots have the same time everywhere, so on a slower host those that use all of
    theirs think less.
    """
    quickest = max(0, min(paces.values(), default=0))
    # Whole numbers, because a host may say one that no float holds.
    slow = frozenset(host for host, pace in paces.items() if pace * 100 > quickest * _SLOWER_PERCENT)
    return slow if wanted == "alike" else frozenset()
