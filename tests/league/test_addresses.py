"""The address of a database names one and holds no password."""

from __future__ import annotations

import pytest

from arena.errors import LeagueFileError
from arena.league import parse_league
from arena.league.texts import database_address
from tests.league.samples import PATH, text


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
