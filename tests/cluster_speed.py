"""A cluster beside `--jobs`: `python -m tests.cluster_speed [python|c] [CYCLES] [PAIRS] [WORKERS]`.

Plays a league of six sample bots, without pages, in turn on this machine alone and on a Dask cluster of this
machine over TLS, with as many workers as referees (2): hosts of one core each. Prints for each run its
matches a second and where its processor time went. Nothing else should run on the machine.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from subprocess import DEVNULL
from tempfile import TemporaryDirectory

import psutil

from tests.cluster_engine import Cluster, cluster, on_tls
from tests.running import matches

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ("random", "low", "duck", "dump", "count", "duck")
BOTS = {
    "python": [(f"python/{name}", '["{python}", "bot.py"]') for name in PYTHON],
    "c": [(f"c/{name}", f'["./{name}"]') for name in ("first", "dump") * 3],
}
LOOK_SECONDS = 0.5
ENGINE = ("bridge", "scheduler", "workers", "hosts")
PARTS = {
    "run": "coordinator",
    "bridge": "bridge",
    "referee": "referees",
    "host": "hosts",
    "scheduler": "scheduler",
    "worker": "workers",
}
"""What a process is, by a word of its command line."""


def main(kind: str, cycles: int, pairs: int, workers: int) -> None:
    """Measure, and print what was found."""
    rates: dict[str, list[float]] = {"jobs": [], "cluster": []}
    with TemporaryDirectory(prefix="cluster-speed-") as name:
        folder = Path(name)
        shutil.copytree(ROOT / "bots", folder / "bots")
        if kind == "c":
            subprocess.run(["make", "-C", folder / "bots/c"], check=True, capture_output=True)
        with cluster(folder / "cluster", workers) as made:
            for pair in range(pairs):
                for where, on in (("jobs", workers), ("cluster", made)):
                    rates[where].append(_play(folder / f"{where}-{pair}", kind, cycles, on))
    ratios = [far / near for far, near in zip(rates["cluster"], rates["jobs"], strict=True)]
    pairs_said = ", ".join(f"{one:.2f}" for one in ratios)
    print(f"cluster / jobs, pair by pair: {pairs_said}; median {median(ratios):.2f}")


def _play(folder: Path, kind: str, cycles: int, on: Cluster | int) -> float:
    """Play the league once, print how that went, and return the matches a second."""
    league = _league(folder, kind, cycles)
    engine = [psutil.Process(one.pid) for one in on.running.values()] if isinstance(on, Cluster) else []
    options = ["--jobs", str(on)]
    if isinstance(on, Cluster):
        options = ["--on", on.address]
        on_tls(league, on.certificate)
    before = _used(engine)
    run = psutil.Popen(
        [sys.executable, "-m", "arena", "run", "--quiet", str(league), *options], stdout=DEVNULL
    )
    after = dict(before)
    while run.poll() is None:
        time.sleep(LOOK_SECONDS)
        after.update(_used([run, *engine]))
    assert run.returncode == 0, f"the run ended with {run.returncode}"
    cpu: Counter[str] = Counter()
    for (part, pid), seconds in after.items():
        cpu[part] += round(1000 * (seconds - before.get((part, pid), 0.0)))
    played = matches(league)
    cpu["bots"] = sum(seat.cpu_us or 0 for one in played for seat in one.seats) // 1000
    first, last = min(one.started_at for one in played), max(one.finished_at for one in played)
    rate = 1000 * len(played) / (last - first)
    share = sum(cpu[part] for part in ENGINE) / cpu.total()
    parts = ", ".join(f"{part} {cpu[part] / 1000:.1f}" for part in sorted(cpu))
    print(
        f"{'cluster' if engine else 'jobs':8}{rate:7.1f} matches a second, {len(played):,} in all; "
        f"processor seconds: {parts}; engine {100 * share:.1f} %; "
        f"load {psutil.getloadavg()[0]:.1f}",
        flush=True,
    )
    return rate


def _used(tops: Sequence[psutil.Process]) -> dict[tuple[str, int], float]:
    """Return the processor seconds so far of all processes of the arena and of Dask from these ones on."""
    found: dict[tuple[str, int], float] = {}
    for top in tops:
        with suppress(psutil.Error):
            for one in (top, *top.children(recursive=True)):
                with suppress(psutil.Error):
                    if part := _part(one.cmdline()):
                        times = one.cpu_times()
                        found[part, one.pid] = times.user + times.system
    return found


def _part(words: Sequence[str]) -> str:
    """Return what a process with this command line is; "" for bots, whose time is in the records."""
    return next((part for word, part in PARTS.items() if word in words), "")


def _league(folder: Path, kind: str, cycles: int) -> Path:
    folder.mkdir()
    text = f'[league]\nname = "Speed"\nseats = 4\n[schedule]\ncycles = {cycles}\nseed = "speed"\n'
    for number, (bot, command) in enumerate(BOTS[kind]):
        text += f'[[bots]]\nname = "Bot {number}"\nfolder = "../bots/{bot}"\ncommand = {command}\n'
    path = folder / "league.toml"
    path.write_text(text)
    return path


if __name__ == "__main__":
    given = sys.argv[1:]
    kind, *numbers = given or ["python"]
    main(kind, *(int(number) for number in [*numbers, *("40", "3", "2")[len(numbers) :]]))
