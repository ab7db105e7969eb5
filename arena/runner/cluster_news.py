"""What a run hears of its cluster: stored, said to the organiser, and kept in a file for `arena status`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena.cluster.orders import Facts
from arena.runner.cluster_referees import ClusterWatcher
from arena.runner.cluster_state import ClusterState, write_state

__all__ = ["ClusterNews"]


class ClusterNews(ClusterWatcher):
    """Tells what becomes of a cluster: `say` in words, `show` the state, `store_host` each host once.

    `folder`: for the file of the state.
    """

    def __init__(
        self,
        folder: Path,
        say: Callable[[str], None],
        show: Callable[[ClusterState], None],
        store_host: Callable[[Facts], int],
    ) -> None:
        self._folder = folder
        self._say = say
        self._show = show
        self._store_host = store_host

    def host(self, facts: Facts) -> int:
        """See `ClusterWatcher`."""
        return self._store_host(facts)

    def say(self, text: str) -> None:
        """See `ClusterWatcher`."""
        self._say(text)

    def state(self, state: ClusterState | None) -> None:
        """See `ClusterWatcher`."""
        write_state(self._folder, state)
        if state is not None:
            self._show(state)
