"""Takes a single error of ours out of the groups that nurseries wrap it in. Handles none itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arena.errors import ArenaError

__all__ = ["one_error"]


@contextmanager
def one_error() -> Iterator[None]:
    """Raise the first ArenaError of a group that holds nothing else; every other error passes as it is.

    Tasks that fail together usually fail for one reason, such as a full disk.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        ours, others = group.split(ArenaError)
        if ours is None or others is not None:
            raise
        raise _first(ours) from group


def _first(group: BaseExceptionGroup[ArenaError]) -> ArenaError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
