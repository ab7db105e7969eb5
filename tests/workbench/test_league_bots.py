"""Bots of a league at a table outside of it: which ones sit there, and under whose terms."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.match.record import Terms
from arena.workbench import league_bots
from arena.workbench.league_bots import table_of
from tests.league.samples import text


@pytest.fixture
def league(tmp_path: Path) -> Path:
    for number in range(1, 6):
        folder = tmp_path / "bots" / f"b{number}"
        folder.mkdir(parents=True)
        (folder / f"b{number}").touch(mode=0o755)
    path = tmp_path / "league.toml"
    terms = "[time]\nmove_seconds = 0.25\nbank_seconds = 2\n[faults]\nfault_points = 7\nmax_faults = 2\n"
    path.write_text(text("rounds = 8\n", terms, count=5), encoding="utf-8")
    return path


def ids(path: Path, *given: str, people: int = 1, seats: int | None = None) -> list[str]:
    return [bot.id for bot in table_of(path, given, people, seats).bots]


def test_the_terms_and_rounds_are_those_of_the_league(league: Path) -> None:
    table = table_of(league, [], 1, None)
    assert (table.seats, table.rounds, table.terms) == (4, 8, Terms(250, 2000, 7, 2))


def test_named_bots_and_as_many_as_fit(league: Path) -> None:
    assert ids(league, "b3", "B1") == ["b3", "b1"]
    assert ids(league, "B2", "b2", "duck", people=0) == ["b2", "b2-2", "duck"], "samples may sit there, too"
    assert ids(league) == ["b1", "b2", "b3"]
    assert ids(league, people=2) == ["b1", "b2"]
    assert ids(league, seats=6) == ["b1", "b2", "b3", "b4", "b5"]
    assert ids(league, "b4", "b5", seats=3) == ["b4", "b5"]


def test_the_best_by_the_newest_standings_come_first(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league_bots, "_ranking", lambda _: ["b4", "b2"])
    assert ids(league, people=0) == ["b4", "b2", "b1", "b3"]


@pytest.mark.parametrize(
    ("given", "people", "seats", "said"),
    [
        (("b33", "b1"), 1, None, "b33: no such bot; did you mean b3"),
        (("zzz", "b1"), 1, None, "league.toml: b1, b2, b3, b4, b5; samples: count"),
        (("b1",), 1, None, "1 of its bots and you: a table has 3 to 8 seats"),
        (("b1",) * 8, 1, None, "8 of its bots and you: a table has 3 to 8 seats"),
        (("b1", "b2"), 1, 5, "--seats 5: 2 bots are named; leave --seats or the bots out"),
        ((), 1, 8, "5 of its bots and you: a table has 3 to 8 seats, and this one 8"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    league: Path, given: tuple[str, ...], people: int, seats: int | None, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        table_of(league, given, people, seats)
