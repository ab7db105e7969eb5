"""What the file of an open league may ask for, and what only such a file may."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import LeagueFileError
from arena.league.house import line_ups_of
from arena.league.reader import parse_league

OPEN = '[league]\nname = "L"\nseats = 4\nopen = true\n'
BOT = '[[bots]]\nname = "Duck"\nfolder = "duck"\ncommand = ["./run"]\n'


def read(text: str) -> list[str]:
    """Return what is said of a league file."""
    with pytest.raises(LeagueFileError) as error:
        parse_league(text, Path("league.toml"))
    return str(error.value).splitlines()


def test_an_open_league_needs_no_bots_and_plays_balanced_cycles() -> None:
    league = parse_league(OPEN + 'entries = "entries/*"\n' + BOT, Path("league.toml"))
    assert (line_ups_of(league), league.league.entries) == ("balanced", "entries/*")
    assert parse_league(OPEN, Path("league.toml")).bots == ()
    asked = parse_league(OPEN + '[schedule]\nline_ups = "balanced"\n', Path("league.toml"))
    assert line_ups_of(asked) == "balanced"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            '[schedule]\nline_ups = "all"\n',
            "6: [schedule] line_ups: an open league plays balanced cycles; write",
        ),
        (
            '[schedule]\nline_ups = "gauntlet"\n',
            "6: [schedule] line_ups: an open league plays balanced cycles",
        ),
        (
            '[schedule]\nstop = "settled"\n',
            "6: [schedule] stop: an open league is never settled, for bots may",
        ),
        ('entries = "../*"\n', '5: [league] entries: expected a relative path whose last part is "*" (for'),
        ('entries = "/srv/*"\n', "5: [league] entries: expected a relative path"),
        ('entries = "entries"\n', "5: [league] entries: expected a relative path"),
        ('entries = "a*/*"\n', "5: [league] entries: expected a relative path"),
        (
            BOT + 'id = "house-2"\n',
            "9: [[bots]] number 1, id: house-1, house-2, ... are the arena's own bots",
        ),
    ],
)
def test_what_does_not_fit_an_open_league(more: str, said: str) -> None:
    (line,) = read(OPEN + more)
    assert line.startswith(f"league.toml:{said}")
