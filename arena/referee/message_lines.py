"""Messages between processes of the arena as lines: the name of the message, a space, its fields as JSON.

Knows no message itself: each pair of processes has a module that says what they tell each other (`jobs`).
"""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import TypeAdapter

__all__ = ["MessageLines"]

_Message = TypeVar("_Message")


class MessageLines(Generic[_Message]):
    """Writes and reads the messages of these kinds, which are dataclasses. `between`: whose they are."""

    def __init__(self, between: str, *kinds: type[_Message]) -> None:
        self._between = between
        self._adapters = {kind.__name__: TypeAdapter(kind) for kind in kinds}

    def write(self, message: _Message) -> bytes:
        """Return the line of a message, with its newline."""
        name = type(message).__name__
        return name.encode() + b" " + self._adapters[name].dump_json(message) + b"\n"

    def read(self, line: bytes) -> _Message:
        """Return the message of a line.

        Raises ValueError when the line is no message, lacks a field or has one of a wrong type.
        """
        name, _, body = line.partition(b" ")
        adapter = self._adapters.get(name.decode("ascii", "replace"))
        if adapter is None:
            raise ValueError(f"not a message between {self._between}: {line[:60]!r}")
        return adapter.validate_json(body, strict=True)
