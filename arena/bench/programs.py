"""The programs that a benchmark runs: bots that think as little as possible, and echoes.

The programs in C are compiled where there is a C compiler; otherwise the benchmark runs without them.
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
"""The folder that contains the packages of the arena side by side, `bots` among them."""
_C_BOT = _PACKAGES / "bots" / "c" / "first" / "main.c"
_ECHO = Path(__file__).parent / "echo"
_NICE = 10
"""The niceness of bots: as in a league, a referee runs its bots at a lower priority than itself."""


@dataclass(frozen=True, slots=True)
class Language:
    """A bot and an echo in one language.

    `echo`: an argv without its last argument, the size of the answer. `sessions_a_commit`: the sessions of
    four matches in a transaction, as counted in leagues of such bots with two referees. `shares`: whether the
    bot plays at as many tables at once as it may.
    """

    name: str
    bot: BotCommand
    echo: tuple[str, ...]
    sessions_a_commit: int = 1
    shares: bool = False

    @property
    def title(self) -> str:
        """Return the name in the text."""
        return self.name.title()


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs to measure with; `missing` says why a language is absent."""

    languages: tuple[Language, ...]
    missing: tuple[str, ...] = ()


def find_programs(folder: Path) -> Programs:
    """Return the programs in all languages that this machine can run; compiled ones are in `folder`."""
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
    """Start a program on this core (None: on any), with pipes that are not buffered."""
    with placed(() if core is None else (core,)):
        return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def _compile(compiler: str, source: Path, program: Path) -> Path:
    done = subprocess.run(
        [compiler, "-O2", "-o", str(program), str(source)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise InternalError(f"{source} could not be compiled with {compiler}:\n{done.stderr.strip()}")
    return program
