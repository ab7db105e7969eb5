"""Files as a web server sends them: whole or compressed, and pages made to follow a league.

Keeps what it made of the files that were sent last, so that a page is read and compressed once. Must not know
addresses, sockets or whether a league is being played.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Following", "Sent", "SentFiles", "accepts_gzip", "has_tag", "weights"]

_ROOM = 32 << 20
"""The most bytes that are kept: some hundred pages, with those not compressed."""

_LEVEL = 6
"""Level 9 of gzip takes three times as long for one byte in a hundred."""


@dataclass(frozen=True, slots=True)
class Following:
    """How a page follows a league that is being played.

    `script`: the address of the script that gets it again; `seconds`: how often; `reloads`: whether a browser
    that runs no scripts loads it again instead.
    """

    script: str
    seconds: int
    reloads: bool

    def put_into(self, page: bytes) -> bytes:
        """Return the page with this in it. The script comes before all others: it must see the page as sent.

        A text of others can hold neither tag, for pages have such texts escaped.
        """
        script = f"</main>\n<script src={self.script} data-seconds={self.seconds}></script>"
        page = page.replace(b"</main>", script.encode(), 1)
        if self.reloads:
            reload = f"<noscript><meta http-equiv=refresh content={self.seconds}></noscript>\n</head>"
            page = page.replace(b"</head>", reload.encode(), 1)
        return page


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent for a file. `packed`: whether it is compressed. `tag`: its ETag, of these bytes alone."""

    content: bytes
    packed: bool
    tag: str

    @classmethod
    def of(cls, content: bytes, packed: bool) -> Sent:
        """Return what is sent for a file of this content."""
        digest = hashlib.sha256(content).hexdigest()[:20]
        if not packed:
            return cls(content, False, f'"{digest}"')
        # Strong tags: other bytes need another, and the compressed ones are others.
        return cls(gzip.compress(content, _LEVEL, mtime=0), True, f'"{digest}-gzip"')


_Key = tuple[Path, bool, Following | None]
_Stamp = tuple[int, int, int]


class SentFiles:
    """Makes what is sent, and keeps it until the file changes or `room` bytes are taken by others.

    May be asked by many threads.
    """

    def __init__(self, room: int = _ROOM) -> None:
        self._room = room
        self._taken = 0
        self._kept: OrderedDict[_Key, tuple[_Stamp, Sent]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, file: Path, *, packed: bool, following: Following | None) -> Sent:
        """Return what is sent for a file now. OSError if it cannot be read."""
        key = (file, packed, following)
        with file.open("rb") as opened:
            status = os.fstat(opened.fileno())
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            known = self._known(key, stamp)
            if known is not None:
                return known
            content = opened.read()
        sent = Sent.of(following.put_into(content) if following else content, packed)
        self._keep(key, stamp, sent)
        return sent

    def _known(self, key: _Key, stamp: _Stamp) -> Sent | None:
        with self._lock:
            then, sent = self._kept.get(key, (None, None))
            if then != stamp:
                return None
            self._kept.move_to_end(key)
            return sent

    def _keep(self, key: _Key, stamp: _Stamp, sent: Sent) -> None:
        with self._lock:
            self._forget(key)
            self._kept[key] = (stamp, sent)
            self._taken += len(sent.content)
            while self._taken > self._room:
                self._forget(next(iter(self._kept)))

    def _forget(self, key: _Key) -> None:
        if key in self._kept:
            self._taken -= len(self._kept.pop(key)[1].content)


def accepts_gzip(header: str) -> bool:
    """Return whether a header Accept-Encoding accepts gzip; "*" stands for what it does not name."""
    accepted = weights(header)
    return accepted.get("gzip", accepted.get("*", 0.0)) > 0


def has_tag(header: str, tag: str) -> bool:
    """Return whether a header If-None-Match names a tag; a weak one is as good for that."""
    return any(one.strip().removeprefix("W/") in (tag, "*") for one in header.split(","))


def weights(header: str) -> dict[str, float]:
    """Return what is accepted, in lower case, by its weight: "gzip, br;q=0.5" is {"gzip": 1.0, "br": 0.5}."""
    found = {}
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip():
            found[name.strip()] = _weight(weight)
    return found


def _weight(text: str) -> float:
    """Return the weight that "q=0.5" gives: 1 where nothing is said, 0 where it cannot be understood."""
    name, _, value = text.partition("=")
    if not text.strip():
        return 1.0
    try:
        return float(value) if name.strip() == "q" else 0.0
    except ValueError:
        return 0.0
