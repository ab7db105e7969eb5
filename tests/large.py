"""What a league of hundreds of bots costs: `python -m tests.large FOLDER BOTS [CYCLES]`.

Makes a league in FOLDER, plays it by the rules but without processes (some 10 ms a match; what is there is
taken as it is), and prints for each command its processor time, its memory and what it wrote.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from arena.deals import MatchKey, PhaseDeals
from arena.league.reader import LoadedLeague, read_league
from arena.match.record import MatchRecord, MatchSetup, RoundRecord, SeatRecord, Terms
from arena.papayoo import CARD_NAMES, Board, Round, cards_of, dealer_of, mask_of, places
from arena.runner.seasons import open_phase, open_season
from arena.schedule import Plan, Session
from arena.store import write
from arena.store.database import Database
from arena.store.playing import PlannedSession

BEGUN_AT = 1_700_000_000_000  # milliseconds
_RANKS = [int(name[1:]) for name in CARD_NAMES]
BATCH = 50
"""Sessions that are stored together."""

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
        _play(read_league(file), cycles)
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


def _play(loaded: LoadedLeague, cycles: int) -> None:
    with Database.open(loaded.database, create=True) as database:
        season = open_season(loaded, database)
        phase = open_phase(season, database)
        assert phase is not None
        number, plan, (_, deals) = season.view.number, season.plan, phase
        table = _Table(season.bots, plan, deals)
        for cycle in range(cycles):
            sessions = plan.cycle(cycle)
            for first in range(0, len(sessions), BATCH):
                batch = [table.played(session) for session in sessions[first : first + BATCH]]
                begun = [(planned, [record.key for record in records]) for planned, records in batch]
                write.begin_sessions(database, number, 0, begun, BEGUN_AT)
                write.save_matches(database, number, [record for _, records in batch for record in records])
        write.end_phase(database, number, 0, "all cycles played", BEGUN_AT + 10**9)


class _Table:
    """Plays sessions.

    Bot n of N passes its highest and plays its lowest cards in n/N of its decisions, and does the opposite in
    the others.
    """

    def __init__(self, bots: Sequence[str], plan: Plan, deals: PhaseDeals) -> None:
        self._bots = bots
        self._plan = plan
        self._deals = deals

    def played(self, session: Session) -> tuple[PlannedSession, list[MatchRecord]]:
        line_up = tuple(self._bots[number] for number in session.order)
        keys = [MatchKey(session.cycle, session.index, order) for order in range(len(session.rows))]
        records = [self._match(key, row) for key, row in zip(keys, session.rows, strict=True)]
        return PlannedSession(
            session.cycle,
            session.index,
            line_up,
            self._plan.match_number(session.cycle, session.index, 0),
        ), records

    def _match(self, key: MatchKey, row: Sequence[int]) -> MatchRecord:
        deals, seats, rng = self._deals.session(key.cycle, key.index), len(row), Random(f"{key}")
        boards = tuple(deals.board(number, seats) for number in range(seats))
        seeds = tuple(deals.bot_seed(key, seat) for seat in range(seats))
        skill = [number / len(self._bots) for number in row]
        rounds = tuple(_round(board, dealer_of(n, seats), skill, rng) for n, board in enumerate(boards))
        points = [sum(by_seat) for by_seat in zip(*(round_.points for round_ in rounds), strict=True)]
        started = BEGUN_AT + 1000 * self._plan.match_number(key.cycle, key.index, key.order)
        return MatchRecord(
            key=key,
            setup=MatchSetup(boards, deals.suits(key), seeds, Terms(1000, 0, 40, 3)),
            seats=tuple(
                SeatRecord(self._bots[bot], total, 0, place, 0, id_key=f"{rng.getrandbits(128):032x}", pid=9)
                for bot, total, place in zip(row, points, places(points), strict=True)
            ),
            rounds=rounds,
            faults=(),
            started_at=started,
            finished_at=started + 900,
            sandbox="bubblewrap",
        )


def _round(board: Board, dealer: int, skill: Sequence[float], rng: Random) -> RoundRecord:
    round_ = Round.deal(board, dealer)
    for seat in range(board.players):
        ordered = sorted(cards_of(round_.hands[seat]), key=_RANKS.__getitem__)
        away = ordered[-round_.pass_count :] if rng.random() < skill[seat] else ordered[: round_.pass_count]
        round_.choose_pass(seat, mask_of(away))
    plays = []
    while not round_.over:
        legal = cards_of(round_.legal())
        lowest = rng.random() < skill[round_.turn]
        plays.append(min(legal, key=_RANKS.__getitem__) if lowest else max(legal, key=_RANKS.__getitem__))
        round_.play(plays[-1])
    took = tuple(rng.randrange(20, 900) for _ in range(board.players + len(plays)))
    return RoundRecord(tuple(round_.passed), tuple(plays), tuple(round_.points), (), took)


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
