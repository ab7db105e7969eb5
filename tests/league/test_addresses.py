"""Values that the arena supports are accepted; the address of a database holds no password, and names one."""

from __future__ import annotations

import pytest

from arena.errors import LeagueFileError
from arena.league import parse_league
from arena.league.texts import database_address, without_password
from tests.league.samples import PATH, league, text

WORKING = [
    ("report", 'replays = "none"'),
    ("report", 'replays = "interesting"'),
    ("report", "publish = []"),
    ("report", 'publish = ["stderr", "replays"]'),
    ("report", 'publish = ["messages"]'),
    ("report", 'reveal = "finished"'),
    ("schedule", 'stop = "cycles"'),
    ("schedule", 'stop = "settled"'),
    ("schedule", "max_hours = 8.0"),
    ("schedule", 'line_ups = "all"'),
    ("schedule", 'line_ups = "balanced"'),
    ("schedule", 'seed = "paper 1"'),
    ("schedule", "margin = 3.5"),
    ("schedule", 'public_draw = "1 2 3"'),
    ("time", "build_seconds = 300.0"),
    ("process", "tables = 1"),
    ("process", "tables = 64"),
    ("process", "jobs = 2"),
    ("process", "pin = false"),
    ("process", "nice = 0"),
    ("process", "fresh_process = true"),
    ("sandbox", 'mode = "off"'),
    ("sandbox", 'mode = "auto"'),
    ("sandbox", 'mode = "require"'),
    ("sandbox", "processes = 64\nopen_files = 64\nfile_size_mib = 16\ntmp_mib = 64"),
    ("sandbox", "memory_mib = 512\ncpu_seconds = 0"),
    ("sandbox", 'read_only = ["/opt"]\nuser = "nobody"'),
    ("store", 'url = "sqlite:///other.db"'),
    ("store", 'url = "postgresql+psycopg://ada@db.example.org:5433/spring?sslmode=verify-full"'),
    ("store", 'url = "postgresql+psycopg:///spring?host=/var/run/postgresql"'),
    ("report", 'replays = "all"'),
    ("report", 'publish = ["faults", "replays"]'),
    ("report", 'reveal = "session"'),
    ("report", 'url = "https://example.org/spring"'),
    ("report", 'url = "http://localhost:8000/"'),
    ("report", 'url = ""'),
    ("report", 'languages = ["en"]'),
    ("report", 'languages = ["fr", "en"]'),
]


@pytest.mark.parametrize(("section", "line"), WORKING)
def test_what_is_there_is_accepted(section: str, line: str) -> None:
    assert league(f"[{section}]\n{line}\n").league.seats == 4


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://db/x", 'for a server "postgresql+psycopg://host/spring"'),
        ("postgresql://db/x", 'for a server "postgresql+psycopg://host/spring"'),
        ("postgresql+psycopg://db", "it must name a database"),
        ("postgresql+psycopg://db/", "it must name a database"),
        ("postgresql+psycopg://db/x#y", "it must name a database"),
        ("postgresql+psycopg://db:port/x", "its host or port cannot be read"),
        ("postgresql+psycopg://db/x?hots=y", "it may not have the key hots, but only host, port, sslmode"),
        ("postgresql+psycopg://ada:hidden@db/x", "leave the password out"),
        ("postgresql+psycopg://:hidden@db/x", "leave the password out"),
        ("postgresql+psycopg://ada@db/x?password=hidden", "leave the password out"),
        ("postgresql+psycopg://ada@db/x?sslpassword=hidden&port=1", "leave the password out"),
        ("mysql://ada:hidden@db/x", "for SQLite"),
        ("postgresql+psycopg://ada:hid:d@en@db/x", "leave the password out"),
    ],
)
def test_an_address_that_will_not_do_is_refused_without_its_password(url: str, words: str) -> None:
    with pytest.raises(
        LeagueFileError, match=r"league.toml:5: \[store\] url: expected a database address"
    ) as caught:
        parse_league(text(f'[store]\nurl = "{url}"\n'), PATH)
    assert words in str(caught.value)
    assert "hid" not in str(caught.value)
    assert "en@" not in str(caught.value)
    with pytest.raises(ValueError) as alone:  # noqa: PT011  (the words are compared)
        database_address(url)
    assert "hid" not in str(alone.value)


def test_a_text_without_a_password_is_shown_as_it_is() -> None:
    for shown in ("sqlite:///x.db", "spring.db", "postgresql+psycopg://ada@db:5432/x?port=3"):
        assert without_password(shown) == shown
    assert without_password("x://a:b@c/d?password=e&f=g") == "x://a:***@c/d?password=***&f=g"
