"""League files for tests: the shortest valid one, with lines added to its sections."""

from __future__ import annotations

from pathlib import Path

from arena.league import League, parse_league

PATH = Path("league.toml")

HEAD = '[league]\nname = "Test"\nseats = 4\n'  # lines 1 to 3


def bots(count: int) -> str:
    """`count` bots of four lines each, named B1, B2, ..."""
    return "".join(
        f'[[bots]]\nname = "B{number}"\nfolder = "bots/b{number}"\ncommand = ["./b{number}"]\n'
        for number in range(1, count + 1)
    )


def text(after_head: str = "", after_bots: str = "", count: int = 4) -> str:
    """A league file; `after_head` begins at line 4, inside [league]."""
    return HEAD + after_head + bots(count) + after_bots


def league(after_head: str = "", after_bots: str = "", count: int = 4) -> League:
    """The league of `text(...)`."""
    return parse_league(text(after_head, after_bots, count), PATH)
