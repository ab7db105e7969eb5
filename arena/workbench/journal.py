"""A match that is being played, kept as it goes on: whoever was killed in the middle can go on with it.

A file of JSON lines: first what the match is made from, then every question (by a digest of its line), every
line that was answered, and who is out. It holds all hands, so nobody else may read it. It knows no process.

`$XDG_STATE_HOME/papayoo-arena` or `~/.local/state/papayoo-arena` is where journals are.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from pydantic import TypeAdapter, ValidationError

from arena.errors import StoreError, UsageError
from arena.match.question_ids import new_key
from protocol.codec import decode

__all__ = ["Journal", "Opening", "Past", "Turn", "digest_of", "is_question", "newest_journal"]

_VERSION: Final = 1
_SUFFIX: Final = ".match"
_KEPT_SECONDS: Final = 30 * 24 * 3600.0
"""A match that nobody goes on with for so long is forgotten."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a match is made from. `words`: the command that began it; `folder`: where it was given.

    `bots`: those that it was found to mean. `seed`: what the deals follow from; `id_keys`: by seat, what the
    ids of questions follow from.
    """

    words: tuple[str, ...]
    bots: tuple[str, ...]
    folder: str
    seed: str
    id_keys: tuple[str, ...]
    version: int = _VERSION

    @classmethod
    def of(cls, words: Sequence[str], bots: Sequence[str], seed: str, seats: int) -> Self:
        """Return that of a new match which is played from here."""
        return cls(tuple(words), tuple(bots), str(Path.cwd()), seed, tuple(new_key() for _ in range(seats)))


@dataclass(frozen=True, slots=True)
class Turn:
    """A question that was put. `digest`: of its line; `said`: what came before the next one, whole lines."""

    digest: str
    said: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Past:
    """What one seat was asked and said. `out`: the stand-in has taken over after it.

    Unless it is out, a last question without an answer is still open.
    """

    turns: tuple[Turn, ...] = ()
    out: bool = False

    @property
    def settled(self) -> int:
        """Return the number of questions that are settled: all, or all but the last."""
        is_open = bool(self.turns) and not self.out and not self.turns[-1].said
        return len(self.turns) - is_open


def digest_of(question: Mapping[str, Any]) -> str:
    """Return what tells a question from others, however much of a bank is left."""
    told = sorted((key, repr(value)) for key, value in question.items() if key != "bank_ms")
    return hashlib.blake2b(repr(told).encode(), digest_size=8).hexdigest()


def is_question(message: Mapping[str, Any]) -> bool:
    """Return whether a message asks for cards."""
    return message["type"] in ("pass", "play")


def _folder() -> Path:
    """Return the folder of the journals of this user."""
    state = os.environ.get("XDG_STATE_HOME") or ""
    return (Path(state) if state.startswith("/") else Path.home() / ".local" / "state") / "papayoo-arena"


def newest_journal() -> Path:
    """Return the journal that was written to last and that nobody writes now. UsageError if there is none."""
    folder = _folder()
    found = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in found:
        if not _is_played(path):
            return path
    raise UsageError(f"There is no match to go on with in {folder}: none was stopped before its end")


def _forget_old(folder: Path) -> None:
    before = time.time() - _KEPT_SECONDS
    for path in folder.glob(f"*{_SUFFIX}"):
        if path.stat().st_mtime < before and not _is_played(path):
            path.unlink(missing_ok=True)


def _is_played(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


_OPENING: Final = TypeAdapter(Opening)


class Journal:
    """A journal that is written. `past`: by seat, what it held when it was opened. To be closed."""

    def __init__(self, path: Path, file: BinaryIO, opening: Opening, past: tuple[Past, ...]) -> None:
        self.path = path
        self.opening = opening
        self.past = past
        self._file = file
        # What is relived stands in it already.
        self._asked_before = [len(one.turns) for one in past]
        self._said_before = [sum(len(turn.said) for turn in one.turns) for one in past]
        self._asked: set[int] = set()
        """The seats that have come to the newest question of the journal, or beyond it."""

    @classmethod
    def begin(cls, opening: Opening) -> Self:
        """Begin the journal of a new match. StoreError where it cannot be written."""
        folder = _folder()
        path = folder / f"{secrets.token_hex(4)}{_SUFFIX}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _forget_old(folder)
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "r+b")
        except OSError as error:
            raise StoreError(f"the match cannot be kept as it goes on: {path}: {error.strerror}") from None
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        journal = cls(path, file, opening, tuple(Past() for _ in opening.id_keys))
        journal._write(asdict(opening))
        return journal

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the journal of a match that was stopped. Raises UsageError if it cannot be gone on with."""
        try:
            file = path.open("r+b")
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            opening, entries, end = _read(file)
            past = _past(entries, len(opening.id_keys))
        except BlockingIOError:
            file.close()
            raise UsageError(f"{path}: this match is being played now") from None
        except ValueError as error:
            file.close()
            raise UsageError(f"{path} is no match that can be gone on with: {error}") from None
        # A kill may have left half a line.
        file.truncate(end)
        file.seek(end)
        return cls(path, file, opening, past)

    @property
    def is_new(self) -> bool:
        """Return whether nothing was played before it was opened."""
        return not any(one.turns for one in self.past)

    def heard(self, seat: int, from_bot: bool, line: bytes) -> None:
        """Take in a line to a seat or from it."""
        if from_bot:
            if self._said_before[seat]:
                self._said_before[seat] -= 1
            elif seat in self._asked:  # before that there is only `ready`
                self._write({"seat": seat, "said": line.decode("latin-1")})
            return
        message = decode(line)
        if not is_question(message):
            return
        if self._asked_before[seat]:
            self._asked_before[seat] -= 1
        else:
            self._write({"seat": seat, "asked": digest_of(message)})
        if not self._asked_before[seat]:
            self._asked.add(seat)

    def out(self, seat: int) -> None:
        """Take note that the stand-in plays on for a seat."""
        if not self.past[seat].out:
            self._write({"seat": seat, "out": True})

    def close(self, *, remove: bool) -> None:
        """Close it, and remove it where nothing is left to go on with."""
        if remove:
            self.path.unlink(missing_ok=True)
        self._file.close()

    def _write(self, entry: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line: what was `asked` (the digest), or `said` (as Latin-1, which has all bytes), or who is `out`."""

    seat: int
    asked: str | None = None
    said: str | None = None
    out: bool = False


_ENTRY: Final = TypeAdapter(_Entry)


def _read(file: BinaryIO) -> tuple[Opening, list[_Entry], int]:
    """Return the opening, the entries, and where the last whole line ends. ValueError for another file."""
    first, *rest = file.read().split(b"\n")[:-1] or [b""]
    try:
        opening = _OPENING.validate_json(first)
    except ValidationError:
        raise ValueError("its first line does not say what it is made from") from None
    if opening.version != _VERSION:
        raise ValueError(f"it has version {opening.version}, and this arena reads {_VERSION}")
    entries = []
    for number, line in enumerate(rest, 2):
        try:
            entries.append(_ENTRY.validate_json(line))
        except ValidationError:
            raise ValueError(f"line {number} is none that the arena writes") from None
    return opening, entries, sum(len(line) + 1 for line in (first, *rest))


def _past(entries: Iterable[_Entry], seats: int) -> tuple[Past, ...]:
    """Return what each seat was asked and said. ValueError where nobody was asked what somebody said."""
    turns: list[list[Turn]] = [[] for _ in range(seats)]
    out = [False] * seats
    for number, entry in enumerate(entries, 2):
        if not 0 <= entry.seat < seats or (entry.said is not None and not turns[entry.seat]):
            raise ValueError(f"line {number} does not fit to those before it")
        own = turns[entry.seat]
        if entry.asked is not None:
            own.append(Turn(entry.asked))
        elif entry.said is not None:
            last = own[-1]
            own[-1] = Turn(last.digest, (*last.said, entry.said.encode("latin-1") + b"\n"))
        else:
            out[entry.seat] = True
    return tuple(Past(tuple(own), gone) for own, gone in zip(turns, out, strict=True))
