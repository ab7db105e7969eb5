"""The sample bots as programs to run: their commands, and a process to talk to in lines.

It speaks through the `protocol` package and knows no rules of the game.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType

import pytest

from protocol import LineSplitter, Ready, encode
from protocol.messages import Answer, read_answer
from tests.shared import once

BOTS = Path(__file__).parents[2] / "bots"
PYTHON_BOTS = ("random", "low", "duck", "dump", "count", "sharp")
C_BOTS = ("first", "dump", "redeal")
OTHER_BOTS = ("javascript/duck", "python-strong/redeal", "python-strong/learned")
ALL_BOTS = (
    *(f"python/{name}" for name in PYTHON_BOTS),
    *(f"c/{name}" for name in C_BOTS),
    *OTHER_BOTS,
)

PATIENCE = 60.0
"""Seconds that a bot may take for anything, a slow start on a busy machine included."""


def need(tool: str) -> None:
    """Skip the test if this program is not installed; in CI it must be, so there the test fails."""
    if shutil.which(tool) is None:
        message = f"{tool} is not installed"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)


def compiled_bots(factory: pytest.TempPathFactory) -> Path:
    """A copy of bots/c, compiled there once for all tests."""
    need("make")
    need("cc")

    def compile_in(folder: Path) -> None:
        shutil.copytree(BOTS / "c", folder / "c")
        flags = "CFLAGS=-O2 -std=c11 -Wall -Wextra -Wpedantic -Werror"
        make = ["make", "--always-make", "-C", str(folder / "c"), flags]
        done = subprocess.run(make, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    return once(factory, "bots-in-c", compile_in) / "c"


@dataclass(frozen=True, slots=True)
class Program:
    """A bot that can be started: `name` is its folder below bots/."""

    name: str
    command: tuple[str, ...]
    folder: Path


def program(name: str, compiled: Path) -> Program:
    """The bot in that folder; C bots from `compiled`, a copy of bots/c where make has run."""
    language, _, bot = name.partition("/")
    if language == "c":
        return Program(name, (f"./{bot}",), compiled / bot)
    command = ("node", "bot.js") if language == "javascript" else (sys.executable, "-B", "bot.py")
    return Program(name, command, BOTS / name)


class BotProcess:
    """A running bot. Use it in a `with` statement: on leaving it is ended, whatever state it is in."""

    def __init__(self, program: Program) -> None:
        self._process = subprocess.Popen(
            program.command, cwd=program.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin
        self._output = self._process.stdout
        self._lines = LineSplitter()

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._input.close()
        self._output.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def write(self, data: bytes) -> None:
        """Write bytes as they are: parts of a line, or several lines."""
        self._input.write(data)

    def tell(self, message: Mapping[str, object]) -> None:
        """Send a message that needs no answer."""
        self.write(encode(message))

    def ask(self, question: Mapping[str, object]) -> Answer:
        """Send a question; its answer, checked to be a proper message with the id of the question."""
        self.tell(question)
        answer = self.read()
        assert answer.id == question["id"]
        return answer

    def read(self) -> Answer:
        """The next line of the bot."""
        deadline = monotonic() + PATIENCE
        while (line := self._lines.next_line()) is None:
            data = self._read_some(deadline)
            assert data, "the bot closed its output instead of answering"
            self._lines.feed(data)
        return read_answer(line)

    def hello(self) -> Ready:
        """Greet the bot, which every conversation begins with."""
        hello = {"type": "hello", "id": "h" * 32, "protocol": 1, "arena": "test", "tables_max": 1}
        ready = self.ask(hello)
        assert isinstance(ready, Ready)
        return ready

    def close_input(self) -> None:
        """Let the bot see the end of its input."""
        self._input.close()

    def exit_code(self) -> int:
        """How the bot ends, once it has been told to; it must say nothing more."""
        assert self._read_some(monotonic() + PATIENCE) == b""
        assert self._lines.unread_bytes == 0
        return self._process.wait(PATIENCE)

    def _read_some(self, deadline: float) -> bytes:
        readable, _, _ = select.select([self._output], [], [], deadline - monotonic())
        assert readable, f"nothing came from the bot within {PATIENCE} s"
        return os.read(self._output.fileno(), 65536)
