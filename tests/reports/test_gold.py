"""Whole pages compared with stored ones, so that no change of a page goes unseen.

After a change that is meant: `UPDATE_GOLD=1 python -m pytest tests/reports/test_gold.py`, then look
at the difference before committing it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from reports import write_site
from tests.reports import played
from tests.reports.played import Bot, League

GOLD = Path(__file__).parent / "gold"
UPDATE = "UPDATE_GOLD"
PAGES = {
    "index.html": "leaderboard.html",
    "health.html": "health.html",
    "rules.html": "rules.html",
    "bots/moody.html": "bot.html",
    "matches/index.html": "matches.html",
    "matches/replay.html": "match.html",
    "data/replay-1.js": "match-data.js",
    "data/standings.csv": "standings.csv",
    "data/standings.json": "standings.json",
}
BOTS = (
    Bot("Duck", played.low, "Ada", "Python"),
    Bot("Low & Order", played.low, language="C"),
    Bot("Random"),
    Bot("Moody", author="Edsger", fault_rate=0.03, sent='{"card": "<S7>"}'),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three players, four bots: three sessions and the first match of another."""
    folder = tmp_path_factory.mktemp("gold")
    league = League(bots=BOTS, seats=3, rounds=3, cycles=2, matches=13)
    with played.play(folder / "league.db", league) as database:
        write_site(database, folder / "site")
    return folder / "site"


def stable(page: str) -> str:
    """The page without what changes with every line of our code or style."""
    page = re.sub(r"static/([a-z]+)\.[0-9a-f]{12}\.(css|js|svg)", r"static/\1.\2", page)
    return re.sub(r"made from [0-9a-f]+", "made from ...", page)


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_as_they_were(site: Path, name: str) -> None:
    compare(site / name, GOLD / PAGES[name])


def compare(page: Path, stored: Path) -> None:
    made = stable(page.read_bytes().decode())
    if os.environ.get(UPDATE):
        stored.parent.mkdir(exist_ok=True)
        stored.write_bytes(made.encode())
    assert made == stored.read_bytes().decode(), f"if this is meant: {UPDATE}=1"
