"""The league file: its model, its database, its season documents and its printed table of keys."""

from __future__ import annotations

from arena.league.model import BotSection, League
from arena.league.reader import SQLITE_HEAD, LoadedLeague, parse_league, read_league

__all__ = ["SQLITE_HEAD", "BotSection", "League", "LoadedLeague", "parse_league", "read_league"]
