"""How long a referee may be silent: no match that keeps to its clocks takes longer."""

from __future__ import annotations

from pathlib import Path

from arena.bot.launch import BotCommand
from arena.league import read_league
from arena.runner.season_run import longest_silence
from tests.running import make_league


def test_it_follows_from_the_clocks_of_the_league(tmp_path: Path) -> None:
    league = make_league(
        tmp_path, more="[process]\ntables = 5\n[time]\nmove_seconds = 2\nbank_seconds = 30\n"
    )
    commands = [BotCommand("quick", (), "", start_ms=1_000), BotCommand("slow", (), "", start_ms=20_000)]
    seat = 20 + 30 + 3 * (1 + 20) * 2  # 3 rounds of a pass and 20 cards
    assert longest_silence(read_league(league).league, commands) == 60 + 2 * 5 * 3 * seat
