"""A match with people on pages, played by the real command: started, addressed, waited for and ended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

__all__ = ["PATIENCE", "PageMatch"]

PATIENCE = 120.0
"""Seconds for anything, on a machine that does much else."""
_ADDRESS = re.compile(r"https?://\S+/seat/(\d)/#\S+")


class PageMatch:
    """`arena play` with these words, in a `with`, for so many people. `addresses`: by seat, the newest."""

    def __init__(self, *words: str, people: int = 1, environment: Mapping[str, str] | None = None) -> None:
        self._people = people
        self.addresses: dict[int, str] = {}
        self.said: list[str] = []
        self.out = ""
        self._process = subprocess.Popen(
            (sys.executable, "-m", "arena", "play", *words, "--no-open"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})}, start_new_session=True,
        )  # fmt: skip
        self._readers = [
            threading.Thread(target=read, daemon=True) for read in (self._read_out, self._read_err)
        ]
        for reader in self._readers:
            reader.start()

    def _read_out(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.out += line

    def _read_err(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.said.append(line)
            if found := _ADDRESS.search(line):
                self.addresses[int(found[1])] = found[0]

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"{what}: {self.said} {self.out}"
            assert self._process.poll() is None or holds(), f"{what}: it ended: {self.said} {self.out}"
            time.sleep(0.02)

    def __enter__(self) -> Self:
        self.until(lambda: len(self.addresses) == self._people, "addresses")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.returncode is None:
            self.end(signal.SIGINT)

    @property
    def address(self) -> str:
        """The address of the first seat."""
        return self.addresses[0]

    def press_enter(self) -> None:
        """Ask for new addresses."""
        assert self._process.stdin is not None
        before = dict(self.addresses)
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self.until(lambda: all(self.addresses[seat] != before[seat] for seat in before), "new addresses")

    def end(self, number: signal.Signals) -> int:
        """End it with a signal, and return its exit code."""
        self._process.send_signal(number)
        return self.ended()

    def ended(self) -> int:
        """Wait for its end, and return its exit code."""
        code = self._process.wait(PATIENCE)
        for reader in self._readers:
            reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()
        return code
