"""What a league of hundreds of bots costs: `python -m tests.large FOLDER BOTS [CYCLES]`.

Makes a league in FOLDER, plays it by the rules but without processes (what is there is taken as it is), and
prints for each command its processor time, its memory and what it wrote.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.staged_played import StagedPlay

COMMANDS = (
    "run --dry-run league.toml",
    "status league.toml",
    "status league.toml --balance",
    "standings league.toml",
    "report league.toml",
    "report league.toml",
    "verify league.toml",
    "export league.toml --what plays --output plays.csv",
)


def main(folder: Path, bots: int, cycles: int) -> None:
    """Make the league if it is not there, and measure."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "league.toml"
    if not file.exists():
        _make(file, bots, cycles)
        _play(file)
    for command in COMMANDS:
        print(f"arena {command}: {_measured(command.split(), folder)}", flush=True)
    for name in ("league.db", "league-report", "plays.csv"):
        print(f"{name}: {_size(folder / name)}")


def _make(file: Path, bots: int, cycles: int) -> None:
    code = file.parent / "bot" / "bot.py"
    code.parent.mkdir(exist_ok=True)
    code.write_text("# Nobody starts it.\n")
    entry = 'author = "Author {0}"\nfolder = "bot"\ncommand = ["{{python}}", "bot.py"]\n'
    head = f'[league]\nname = "Large league"\nseats = 4\n\n[schedule]\ncycles = {cycles}\n'
    each = (f'\n[[bots]]\nname = "Bot {number}"\n{entry.format(number % 97)}' for number in range(bots))
    file.write_text(head + "".join(each))


def _play(file: Path) -> None:
    with StagedPlay(file) as league:
        league.stage()


def _measured(arguments: Sequence[str], folder: Path) -> str:
    """Run a command in a process of its own; return what it used."""
    begun = time.perf_counter()
    with (folder / "said.txt").open("a") as said:
        child = subprocess.Popen([sys.executable, "-m", "arena", *arguments], cwd=folder, stdout=said)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begun
    return (
        f"{used.ru_utime + used.ru_stime:.1f} s of processor time, {wall:.1f} s, "
        f"at most {used.ru_maxrss // 1024} MiB, exit code {child.returncode}"
    )


def _size(path: Path) -> str:
    files = [found for found in path.rglob("*") if found.is_file()] if path.is_dir() else [path]
    sizes = [found.stat().st_size for found in files if found.exists()]
    largest = max(sizes, default=0)
    return json.dumps(
        {"files": len(sizes), "MB": round(sum(sizes) / 1e6, 2), "largest": round(largest / 1e6, 2)}
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 6)
