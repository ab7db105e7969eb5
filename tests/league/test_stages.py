"""The sections `[[stages]]`: what does not fit, and each stage as a league of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import LeagueFileError
from arena.league.cycles import cycles_of
from arena.league.reader import LoadedLeague, parse_league
from arena.league.season import changed_keys, free_document, growing_document, season_document
from arena.season.stages import stage_league

HEAD = '[league]\nname = "L"\nseats = 4\n'
BOTS = "".join(f'[[bots]]\nname = "B{n}"\nfolder = "b{n}"\ncommand = ["./run"]\n' for n in range(6))
STAGES = """\
[[stages]]
name = "Heats"
keep = "contenders 2"
[[stages]]
keep = 3
cycles = 2
[[stages]]
name = "Final"
stop = "settled"
"""


def loaded(text: str) -> LoadedLeague:
    return LoadedLeague(Path("l.toml"), parse_league(text, Path("l.toml")), text, "")


def said(text: str) -> list[str]:
    """Return what is said of a league file."""
    with pytest.raises(LeagueFileError) as error:
        parse_league(text, Path("l.toml"))
    return str(error.value).splitlines()


def test_a_stage_is_a_league_with_its_own_cycles_and_its_own_end() -> None:
    whole = loaded(HEAD + '[schedule]\ncycles = 7\nseed = "x"\n' + STAGES + BOTS)
    first, second, third = (stage_league(whole.league, number) for number in (1, 2, 3))
    assert [cycles_of(one) for one in (first, second, third)] == [7, 2, 7]
    assert (second.schedule.stop, third.schedule.stop) == ("cycles", "settled")


def test_what_is_announced_may_not_change_and_what_is_free_may() -> None:
    def documents(text: str) -> tuple[dict[str, object], ...]:
        league = parse_league(HEAD + text + BOTS, Path("l.toml"))
        return season_document(league, {f"b{n}": "0" * 64 for n in range(6)}), growing_document(league), (
            free_document(league)
        )  # fmt: skip

    before = documents(STAGES)
    other = documents(STAGES.replace("keep = 3", "keep = 2").replace("cycles = 2", "cycles = 4"))
    assert [str(one) for one in changed_keys(before[0], other[0])] == ["stages.2.keep: 3 -> 2"]
    assert [str(one) for one in changed_keys(before[1], other[1])] == ["stages.2.cycles: 2 -> 4"]
    named = documents(STAGES.replace("Heats", "Groups"))
    assert not changed_keys(before[0], named[0])
    assert [str(one) for one in changed_keys(before[2], named[2])] == ['stages.1.name: "Heats" -> "Groups"']


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[stages]]\n", "4: [[stages]] number 1: one stage is the league itself; add a second [[stages]]"),
        ("[[stages]]\n[[stages]]\n", "4: [[stages]] number 1, keep: missing; say who goes on, for example"),
        (
            '[[stages]]\nkeep = "contenders"\n[[stages]]\n',
            "5: [[stages]] number 1, keep: expected a whole number from 2 to 500 or",
        ),
        (
            "[[stages]]\nkeep = 1\n[[stages]]\n",
            "5: [[stages]] number 1, keep: expected a whole number from 2",
        ),
        (
            "[[stages]]\nkeep = 4\n[[stages]]\nkeep = 2\n",
            "7: [[stages]] number 2, keep: nobody goes on from the last stage; remove the key",
        ),
        (
            "[[stages]]\nkeeps = 4\n[[stages]]\n",
            '5: [[stages]] number 1, keeps: unknown key; did you mean "keep"?',
        ),
        ("[stages]\nkeep = 4\n", "4: [[stages]]: write [[stages]] with double brackets"),
        ("stages = 3\n", "4: [league] stages: unknown key"),
        ("[[stages]]\nkeep = 4\n" * 21, "4: [[stages]]: a league has at most 20 stages"),
        (
            '[schedule]\nline_ups = "gauntlet"\n[[stages]]\nkeep = 4\n[[stages]]\n',
            "6: [[stages]] number 1: a gauntlet compares candidates and has no stages",
        ),
        (
            'open = true\n[[stages]]\nkeep = 4\nstop = "settled"\n[[stages]]\n',
            "7: [[stages]] number 1, stop: the first stage is open and never settled",
        ),
    ],
)
def test_what_does_not_fit(text: str, expected: str) -> None:
    assert said(HEAD + text + BOTS)[0].startswith(f"l.toml:{expected}"), said(HEAD + text + BOTS)
