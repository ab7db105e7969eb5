"""Tiny leagues on disk for tests that run `arena run` as a process, kill it, and look at what is left.

Every process of such a league works in the league's folder or below it, and is found by that.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.store import read
from arena.store.database import Database
from arena.store.views import MatchState, MatchView
from tests.forked import Forked

_BOT = """\
import os, sys, time
from papayoo_bot import rank, run

PICK = {pick}

def choose_pass(question):
    return sorted(question["hand"], key=rank)[: question["count"]]

def choose_card(question):
    time.sleep({slow})
    {trick}
    legal = sorted(question["legal"], key=lambda card: (rank(card), card))
    return legal[PICK * len(legal) // 4]

run("tiny", choose_pass, choose_card)
"""

_KILL_REFEREE = """
    from pathlib import Path
    left = Path(os.environ.get("KILLS", os.devnull))
    if left.stat().st_size:
        os.truncate(left, left.stat().st_size - 1)
        left.with_name("now").touch()
        time.sleep(10)
"""
"""Code of a bot that asks for its referee to be killed as often as the file $KILLS has bytes.

It cannot do it itself: it sees no process but its own.
"""

_DIE_WHEN_ASKED = """
import os, sys, threading, time

def watch():
    while True:
        try:
            os.unlink({now!r})
        except FileNotFoundError:
            time.sleep(0.002)
        else:
            os.kill(os.getpid(), 9)

if "referee" in sys.orig_argv:
    threading.Thread(target=watch, daemon=True).start()
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a run: its exit code, standard output and standard error."""

    code: int
    out: str
    err: str


def deadly_league(folder: Path, kills: int) -> tuple[Path, dict[str, str]]:
    """A league of one session, whose last bot has its referee killed so many times.

    Return it with the environment that it is to be played in.
    """
    asked = folder / "asked"
    asked.mkdir()
    (asked / "kills").write_bytes(b"x" * kills)
    (asked / "sitecustomize.py").write_text(_DIE_WHEN_ASKED.format(now=str(asked / "now")))
    league = make_league(folder, bots=3, trick=_KILL_REFEREE)
    head, command, _ = league.read_text().rpartition('["{python}", "bot.py"]')
    league.write_text(f'{head}["env", "KILLS={asked / "kills"}", {command[1:]}\n')
    return league, {"PYTHONPATH": str(asked)}


def make_league(
    folder: Path,
    *,
    bots: int = 4,
    cycles: int = 1,
    slow: float = 0.0,
    trick: str = "",
    more: str = "",
    sandbox: str = "off",
) -> Path:
    """Write a league of 3 seats and deterministic bots, and return the path of its file.

    `slow`: the seconds that a play takes. `trick`: code that the bots run before each play. `more`: lines at
    the end of the file, which belong to the last bot unless they begin a section.
    """
    texts = [
        '[league]\nname = "Tiny"\nseats = 3\nrounds = 3\n',
        f'[schedule]\ncycles = {cycles}\nseed = "tests"\n',
        f'[sandbox]\nmode = "{sandbox}"\n',
    ]
    for number in range(bots):
        make_bot(folder / f"bots/b{number}", _BOT.format(pick=number, slow=slow, trick=trick))
        texts.append(
            f'[[bots]]\nname = "B{number}"\nfolder = "bots/b{number}"\ncommand = ["{{python}}", "bot.py"]\n'
        )
    path = folder / "league.toml"
    path.write_text("\n".join(texts) + more)
    return path


HELD = 'while os.path.exists("../../../hold"):\n        time.sleep(0.01)'
"""A trick of bots without a sandbox: they wait while there is a file `hold` beside the league file."""
LONG_MOVES = "[time]\nmove_seconds = 60\n"


def make_open_league(folder: Path, *, bots: int = 4, more: str = "", schedule: str = "") -> Path:
    """Write an open league of 3 seats, `bots` of them in `entries`, and return the path of its file.

    `schedule`: further lines of that section. `more`: lines at the end of the file.
    """
    path = folder / "league.toml"
    path.write_text(
        '[league]\nname = "Tiny"\nseats = 3\nrounds = 3\nopen = true\nentries = "entries/*"\n'
        f'[schedule]\nseed = "tests"\n{schedule}'
        '[sandbox]\nmode = "off"\n' + more
    )
    for number in range(bots):
        enter(path, f"b{number}", number)
    return path


def enter(league: Path, bot: str, pick: int, *, slow: float = 0.0, trick: str = "", name: str = "") -> None:
    """Put the folder of a bot into `entries`, or another version of it. `pick`: how it plays, from 0 to 3."""
    folder = league.parent / "entries" / bot
    # Moved there whole, as `mv` does, so that a run never sees half a folder.
    new = league.parent / f"{bot}.new"
    make_bot(new, _BOT.format(pick=pick, slow=slow, trick=trick))
    (new / "bot.toml").write_text(f'name = "{name or bot.upper()}"\ncommand = ["{{python}}", "bot.py"]\n')
    folder.parent.mkdir(exist_ok=True)
    leave(league, bot)
    new.rename(folder)


def leave(league: Path, bot: str) -> None:
    """Take the folder of a bot out of `entries`, if it is there."""
    if (folder := league.parent / "entries" / bot).exists():
        gone = league.parent / f"{bot}.gone"
        folder.rename(gone)
        shutil.rmtree(gone)


def make_bot(folder: Path, source: str) -> None:
    """Write a bot's folder: its program, which may import `papayoo_bot` as the sample bots do."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text(source)


def edit(path: Path, old: str, new: str) -> None:
    """Replace the first `old` in a file, which must contain it."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


_GOING_ON: set[Command] = set()


def end_what_goes_on() -> None:
    """End the runs that a failed test has left, and all processes that work in their folders."""
    for run in list(_GOING_ON):
        if run.process.poll() is None:
            run.kill()
            for line in processes(run.folder):
                with suppress(ProcessLookupError):
                    os.kill(int(line.partition(":")[0]), signal.SIGKILL)
        _GOING_ON.discard(run)


class Command:
    """A command of `arena` in a session of its own, as from a terminal in a folder.

    `env`: further environment variables. `ignored`: signals that it is to ignore. `errors`: the descriptor of
    its standard error, if that is not to be a file.
    """

    def __init__(
        self,
        folder: Path,
        *words: str,
        env: dict[str, str] | None = None,
        ignored: Sequence[signal.Signals] = (),
        errors: int | None = None,
    ) -> None:
        self.folder = folder
        self._out = folder / "run.out"
        self._err = folder / "run.err"
        with Path(os.devnull).open() as empty, self._out.open("w") as out, self._err.open("w") as err:
            files = (empty.fileno(), out.fileno(), err.fileno() if errors is None else errors)
            self.process = Forked(words, files, folder=folder, environment=env, ignored=ignored)
        _GOING_ON.add(self)

    def said(self) -> str:
        """Return its standard error so far."""
        return self._err.read_text()

    def wait_for(self, true: Callable[[], object], seconds: float = 120.0) -> None:
        """Wait until `true` returns something true. Fails when the run ends before."""
        asked = time.monotonic()
        deadline = asked + seconds
        while not true():
            assert self.process.poll() is None, f"the run has ended: {self.said()}"
            took = time.monotonic() - asked
            assert asked + took < deadline, f"in vain: {self.said()}"
            time.sleep(0.1 + 3 * took)  # the run needs the core
            asked = time.monotonic()

    def heeds_signals(self) -> bool:
        """Return whether Python has installed its handler, so that SIGTERM does not end it at once."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        caught = int(status.partition("SigCgt:")[2].split()[0], 16)
        return bool(caught >> (signal.SIGTERM - 1) & 1)

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> None:
        """Send a signal to the whole process group, as a terminal does on Ctrl-C."""
        os.killpg(self.process.pid, number)

    def end(self, seconds: float = 240.0) -> Outcome:
        """Wait for its end and return the outcome. Fails if the output has a traceback or internal error."""
        code = self.process.wait(seconds)
        outcome = Outcome(code, self._out.read_text(), self.said())
        assert "\nTraceback" not in f"\n{outcome.err}\n{outcome.out}", "a bot's own is indented"
        assert "internal error" not in outcome.err
        return outcome

    def kill(self) -> None:
        """Kill the process, as the kernel does when memory is short."""
        self.process.kill()
        self.process.wait()


class Run(Command):
    """A command with a league file, mostly `arena run`, in the league's folder.

    It has one referee, unless its options say otherwise or it is on a cluster: a core is all that a test has.
    """

    def __init__(
        self,
        league: Path,
        *options: str,
        command: str = "run",
        env: dict[str, str] | None = None,
        ignored: Sequence[signal.Signals] = (),
        errors: int | None = None,
    ) -> None:
        if command == "run" and not {"--jobs", "--on"} & {*options}:
            options = (*options, "--jobs", "1")
        words = (command, league.name, *options)
        super().__init__(league.parent, *words, env=env, ignored=ignored, errors=errors)
        self.league = league

    def wait_for_matches(self, number: int) -> None:
        """Wait until so many matches are stored."""
        self.wait_for(lambda: finished(self.league) >= number)

    def referees(self) -> list[int]:
        """Return the process ids of its referees."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        found = [int(pid) for pid in path.read_text().split()]
        return [pid for pid in found if b"referee" in _command_line(pid)]


def play(league: Path, *options: str, env: dict[str, str] | None = None) -> Outcome:
    """Run a league to its end and return the outcome."""
    return Run(league, *options, env=env).end()


def processes(folder: Path) -> list[str]:
    """Return the process ids and command lines of the processes that work in the folder or below it."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            cwd = (entry / "cwd").readlink()
        except OSError:
            continue
        if cwd.is_relative_to(folder) and _state(entry) != "Z":
            found.append(f"{entry.name}: {_command_line(int(entry.name)).decode()}")
    return found


def assert_nothing_runs(folder: Path, seconds: float = 60.0) -> None:
    """Fail if a process of the league is left after so many seconds."""
    deadline = time.monotonic() + seconds
    while (left := processes(folder)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == []


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    except OSError:
        return b""


def _state(entry: Path) -> str:
    try:
        return (entry / "stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return "Z"


def matches(league: Path, season: int = 1, state: MatchState | None = None) -> list[MatchView]:
    """Return the attempts of a season, all or those in a state; none when there is no database yet."""
    path = league.parent / "league.db"
    if not path.exists():
        return []
    with Database.open(path, read_only=True) as database:
        return read.matches(database, season, state=state)


def finished(league: Path) -> int:
    """Return the number of finished matches, 0 also while the database is being created."""
    try:
        with closing(sqlite3.connect(f"file:{league.parent / 'league.db'}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM match WHERE state = 'finished'").fetchone()[0])
    except sqlite3.OperationalError:  # no file, or no tables yet
        return 0


def records(league: Path, season: int = 1) -> dict[MatchKey, tuple[object, ...]]:
    """Return what must be the same in every run of each finished match: deals, decisions and points."""
    with Database.open(league.parent / "league.db", read_only=True) as database:
        found = read.matches(database, season)
        whole = [read.record(database, season, match.number) for match in found]
    assert len({match.number for match in found}) == len(found), "a match is finished twice"
    return {record.key: _repeatable(record) for record in whole}


def _repeatable(record: MatchRecord) -> tuple[object, ...]:
    setup = record.setup
    return (
        setup.boards,
        setup.suits,
        setup.seeds,
        [(round_.passes, round_.plays, round_.points, round_.stand_in) for round_ in record.rounds],
        [(seat.bot, seat.points, seat.charge, seat.place) for seat in record.seats],
    )
