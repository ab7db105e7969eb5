"""Claims of cores: no two programs that ask here get the same core of this machine. Pins nothing.

A claim is a socket in Linux's abstract namespace, named after the core. A file in a folder that all users may
write could be replaced or held open by any of them, and a service may have a /tmp of its own. Such a name is
in no folder: whoever comes second finds it taken, whatever user they are, and the kernel frees it with the
process. It holds between all processes of one network namespace.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterable

from arena.linux.process_tree import tree

__all__ = ["CoreClaim", "claim_core", "cores_used_by"]


class CoreClaim:
    """A core that is claimed until `release`, or until this process ends."""

    def __init__(self, core: int, name: socket.socket) -> None:
        self.core = core
        self._name = name

    def release(self) -> None:
        """Let others claim the core."""
        self._name.close()


def claim_core(cores: Iterable[int]) -> CoreClaim | None:
    """Claim the first of these cores that nobody has claimed, or return None."""
    for core in cores:
        # Programs that this one starts do not inherit it.
        name = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            name.bind(f"\0papayoo-arena/core/{core}")
        except OSError as error:
            name.close()
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return CoreClaim(core, name)
    return None


def cores_used_by(pid: int) -> frozenset[int]:
    """Return the cores to which processes below this one are pinned.

    They are all that it may use where nothing below it is pinned, and none where there is no such process.
    """
    members = tree(pid)
    if not members:
        return frozenset()
    own, *below = [_affinity(member.pid) for member in members]
    pinned = [cores for cores in below if cores and cores < own]
    return frozenset().union(*pinned) if pinned else own


def _affinity(pid: int) -> frozenset[int]:
    try:
        return frozenset(os.sched_getaffinity(pid))
    except OSError:  # it has ended
        return frozenset()
