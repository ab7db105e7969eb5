"""A page of each kind that there is, for tests that go through them all: real leagues, made once.

A new kind of page is to be added to `KINDS`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import reports.facts
from arena.score import verdicts
from arena.store.views import Role
from reports import Publish, ReportOptions, write_site
from tests.reports import played
from tests.reports.played import Bot, League
from tests.shared import once

KINDS = {
    "leaderboard": "site/index.html",
    "health": "site/health.html",
    "rules": "site/rules.html",
    "seasons": "site/seasons.html",
    "bot with faults": "site/bots/moody.html",
    "bot of the house": "site/bots/house.html",
    "list of matches": "site/matches/index.html",
    "list of faults": "site/matches/faults.html",
    "list of the closest": "site/matches/closest.html",
    "match with faults": "site/matches/replay.html#m3",
    "match without cards": "site/matches/replay.html#m42",
    "messages": "site/matches/3-messages.html",
    "season before": "site/season-1/index.html",
    "match of eight": "wide/matches/replay.html#m1",
    "leaderboard of eight": "wide/index.html",
    "rules in Greek": "site/rules/el.html",
    "rules in Chinese": "site/rules/zh-hant.html",
    "rules of eight in German": "wide/rules/de.html",
    "leaderboard of many": "many/index.html",
    "bot of many": "many/bots/duck.html",
    "no match": "many/matches/replay.html",
}
"""Pages by what they show; addresses are relative to a folder."""

NEEDS_SCRIPTS = ("match with faults", "match without cards", "match of eight")

_LONG = "Unbrokenlylongnameofabotwithfortyletters"
_BOTS = (
    Bot(_LONG, played.low, "Ada " * 10, "Python"),
    Bot("Moody", fault_rate=0.03, sent="x" * 300, stderr="y" * 500),
    Bot("東京のカード", author="Grace", language="C"),
    Bot("Random"),
    Bot("house", played.high, role=Role.HOUSE),
)
_WIDE = tuple(Bot(f"Bot number {number}") for number in range(8))
_MANY = (*played.FIVE, Bot("Two words " * 4, played.low))


def names() -> set[str]:
    """The names of their leagues and bots."""
    bots = (*_BOTS, *played.FIVE, *_WIDE, *_MANY)
    return {League(bots=bots).name, *(bot.name for bot in bots)}


def page_of(factory: pytest.TempPathFactory, kind: str) -> str:
    """The address of a page of that kind, in a file."""
    path, _, fragment = KINDS[kind].partition("#")
    address = (folder_of(factory) / path).as_uri()
    return f"{address}#{fragment}" if fragment else address


def folder_of(factory: pytest.TempPathFactory) -> Path:
    """The folder with all of them; the large league's database is `many.db`."""
    return once(factory, "kinds-of-pages", make)


def make(folder: Path) -> None:
    """Play the leagues, and write their pages."""
    options = ReportOptions()
    _make_site(folder, replace(options, publish=frozenset(Publish)))
    _make_wide(folder, ReportOptions())
    _make_many(folder, options)


def _make_site(folder: Path, options: ReportOptions) -> None:
    """Two seasons; the second is being played, with long names, faults, and a house bot."""
    path = folder / "league.db"
    played.play(path, League(bots=played.FIVE[:4], matches=5, cycles=2)).close()
    began = played.START + 86_400_000
    second = League(bots=_BOTS, cycles=4, matches=42, seed="s", began=began, why="long words " * 20)
    with played.play(path, second) as database:
        write_site(database, folder / "site", options)


def _make_wide(folder: Path, options: ReportOptions) -> None:
    """Eight seats: the widest tables there are."""
    with played.play(folder / "wide.db", League(bots=_WIDE, seats=8, rounds=3, matches=9)) as database:
        write_site(database, folder / "wide", options)


def _make_many(folder: Path, options: ReportOptions) -> None:
    """A large league of many bots, although it is small: long enough for verdicts, some of them open."""
    with (
        pytest.MonkeyPatch.context() as patch,
        played.play(folder / "many.db", League(bots=_MANY, seats=3, rounds=3, cycles=3)) as database,
    ):
        patch.setattr(reports.facts, "EVERY_PAIR_UP_TO", 3)
        patch.setattr(verdicts, "LETTERS_UP_TO", 3)
        write_site(database, folder / "many", options)
