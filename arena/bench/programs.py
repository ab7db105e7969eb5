"""The programs a benchmark plays and talks with: bots that think as little as possible, and echoes.

The C ones are compiled where a C compiler is present; without one there is a benchmark without them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import arena
from arena.bot.launch import BotCommand
from arena.errors import InternalError
from arena.linux.scheduling import placed

__all__ = ["Language", "Programs", "find_programs", "started"]

_PACKAGES = Path(arena.__file__).parents[1]
"""Where the packages of the arena lie side by side, `bots` among them."""
_C_BOT = _PACKAGES / "bots" / "c" / "first" / "main.c"
_ECHO = Path(__file__).parent / "echo"
_NICE = 10
"""A referee runs its bots at a lower priority than itself, in a league and so here too."""


@dataclass(frozen=True, slots=True)
class Language:
    """One bot and one echo in the same language. `echo` is an argv without the size of the answer.

    `sessions_a_commit`: in leagues of such bots and two referees a transaction has so many sessions of four.
    `shares`: the bot plays at as many tables at once as it may.
    """

    name: str
    bot: BotCommand
    echo: tuple[str, ...]
    sessions_a_commit: int = 1
    shares: bool = False

    @property
    def title(self) -> str:
        """The name for people."""
        return self.name.title()


@dataclass(frozen=True, slots=True)
class Programs:
    """What there is to measure with; `missing` says why a language is not there."""

    languages: tuple[Language, ...]
    missing: tuple[str, ...] = ()


def find_programs(folder: Path) -> Programs:
    """The programs in all languages that this machine can run; what is compiled goes to `folder`."""
    python = Language(
        "python",
        BotCommand("first", ("{python}", "first.py"), str(_ECHO), nice=_NICE),
        (sys.executable, "-I", "-S", str(_ECHO / "echo.py")),
        sessions_a_commit=6,
        shares=True,
    )
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return Programs((python,), ("No C compiler (gcc or cc) was found, so there is no table of C bots.",))
    bot = _compile(compiler, _C_BOT, folder / "first")
    echo = _compile(compiler, _ECHO / "echo.c", folder / "echo")
    command = BotCommand("first", ("./first",), str(bot.parent), nice=_NICE)
    c = Language("c", command, (str(echo),), sessions_a_commit=15)
    return Programs((python, c))


def started(argv: Sequence[str], core: int | None) -> subprocess.Popen[bytes]:
    """A program that reads and writes without buffers, on this core; None leaves that to the system."""
    with placed(() if core is None else (core,)):
        return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def _compile(compiler: str, source: Path, program: Path) -> Path:
    done = subprocess.run(
        [compiler, "-O2", "-o", str(program), str(source)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise InternalError(f"{source} could not be compiled with {compiler}:\n{done.stderr.strip()}")
    return program
