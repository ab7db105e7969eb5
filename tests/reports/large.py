"""How long the pages of a large league take: `python -m tests.reports.large FOLDER [MATCHES]`.

Plays a league of ten bots into FOLDER/large.db, by the rules but without processes (some 20 ms a
match; an existing database is taken as it is), and writes its pages there three times: from nothing,
again with nothing changed, and as a run does that trusts what is there.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from arena.store.database import Database
from reports import write_site
from tests.reports import played
from tests.reports.played import Bot, League

WAYS = (played.low, played.at_random, played.high)
BOTS = (
    *(Bot(f"Bot {number}", WAYS[number % 3], language="Python") for number in range(8)),
    Bot("Moody", fault_rate=0.0004),
    Bot("Muddy", fault_rate=0.0004),
)
"""Two of them commit a fault in two matches of a hundred."""


def main(folder: Path, matches: int) -> None:
    """Play if need be, write the pages and say how long that took."""
    path = folder / "large.db"
    if not path.exists():
        league = League(name="Large league", bots=BOTS, cycles=matches // 40 + 1, matches=matches)
        played.play(path, league).close()
    for name, incremental in (("from nothing", False), ("again", False), ("while a run goes on", True)):
        wall, cpu = time.perf_counter(), time.process_time()
        with Database.open(path, create=False) as database:
            result = write_site(database, folder / "site", incremental=incremental)
        took = f"{time.perf_counter() - wall:.1f} s, {time.process_time() - cpu:.1f} s of processor time"
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        files = f"{result.written} files written, {result.unchanged} as they were"
        print(f"{name}: {files}, {took}, at most {peak} MiB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
