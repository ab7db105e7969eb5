"""Stops a run at once when its lock or its database is taken away. Must not look at them itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import trio

from arena.errors import StoreError, one_error

__all__ = ["while_there"]

_LOOK_SECONDS = 2.0
_Result = TypeVar("_Result")


async def while_there(play: Callable[[], Awaitable[_Result]], lost: Sequence[Callable[[], str]]) -> _Result:
    """Return what `play` returns, and look every two seconds whether all that it needs is still there.

    `lost`: each says in words what is gone, or nothing. Raises StoreError with the first such words; then
    `play` is cancelled, so nothing more is played or stored.
    """
    with one_error():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_keep_looking, lost)
            result = await play()
            nursery.cancel_scope.cancel()
    _look(lost)
    return result


async def _keep_looking(lost: Sequence[Callable[[], str]]) -> None:
    while True:
        _look(lost)
        await trio.sleep(_LOOK_SECONDS)


def _look(lost: Sequence[Callable[[], str]]) -> None:
    for each in lost:
        if why := each():
            raise StoreError(why)
