"""What a run hears of its cluster: stored, said to the organiser, and kept in a file for `arena status`."""

from __future__ import annotations

from collections.abc import Callable


from arena.cluster.orders import Facts
from arena.run.cluster_referees import ClusterWatcher

__all__ = ["ClusterNews"]


class ClusterNews(ClusterWatcher):
    """Tells what becomes of a cluster. `say` warns the organiser and the log."""

    def __init__(self, say: Callable[[str], None], store_host: Callable[[Facts], int]) -> None:
        self._say = say
        self._store_host = store_host

    def host(self, facts: Facts) -> int:
        """See `ClusterWatcher`."""
        return self._store_host(facts)

    def say(self, text: str) -> None:
        """See `ClusterWatcher`."""
        self._say(text)
