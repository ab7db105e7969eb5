"""The referees of this machine: a process for each setup, and another one when it is lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import trio

from arena.errors import InternalError
from arena.referee.jobs import Setup
from arena.runner.referee_client import LocalLines, RefereeClient
from arena.runner.referees import More, Play

__all__ = ["LocalReferees", "local_referee"]

_SILENT_ENDINGS = 3
"""Referees that may end in a row without having sent a message; then the cause is a mistake of ours."""


def local_referee(log: Path, number: int, setup: Setup, host: int) -> RefereeClient:
    """Start a referee process. Raises InternalError when none can be started."""
    return RefereeClient(LocalLines(log, number, setup), setup, host)


class LocalReferees:
    """Referees by their setups. `logs`: the folder for what they write to standard error."""

    def __init__(self, setups: Sequence[Setup], logs: Path, host: int) -> None:
        self._setups = setups
        self._logs = logs
        self._host = host

    @property
    def count(self) -> int:
        """Return how many referees share what is left to play."""
        return len(self._setups)

    async def keep(self, play: Play, more: More) -> None:
        """Have referees play, and others in the place of those that are lost, until no more is wanted.

        Raises InternalError when referees fail again and again.
        """
        async with trio.open_nursery() as nursery:
            for number, setup in enumerate(self._setups):
                nursery.start_soon(self._keep, number, setup, play, more)

    async def _keep(self, number: int, setup: Setup, play: Play, more: More) -> None:
        silent = 0
        log = self._logs / f"referee-{number}.log"
        while more():
            ended = await play(local_referee(log, number, setup, self._host))
            silent = 0 if ended is None else silent + 1
            if ended is not None and silent >= _SILENT_ENDINGS and more():
                raise InternalError(
                    f"{ended.how} before it played anything; see {ended.log}{ended.last_words}"
                )
