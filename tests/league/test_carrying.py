"""Where a league file may announce that earlier stages count in the last one, and why it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import LeagueFileError
from arena.league.carrying import planned
from arena.league.reader import parse_league
from arena.league.stages import stage_league
from arena.schedule import Plan
from arena.standings.carry import StagePlan

HEAD = '[league]\nname = "L"\nseats = 4\n'
FINAL = "[[stages]]\ncarry = true\ncycles = 40\n"
UNKNOWN = "it is not known beforehand how many bots and sessions each stage will have"


def bots(number: int) -> str:
    return "".join(f'[[bots]]\nname = "B{n}"\nfolder = "b{n}"\ncommand = ["./run"]\n' for n in range(number))


def said(text: str) -> str:
    """What is said of the key in a league file of that text, without the line; empty if it is allowed."""
    try:
        parse_league(text, Path("l.toml"))
    except LeagueFileError as error:
        line, _, rest = str(error).partition(": ")
        assert text.splitlines()[int(line.rpartition(":")[2]) - 1] == "carry = true"
        return rest.partition(", carry: ")[2]
    return ""


@pytest.mark.parametrize(
    ("stages", "number", "expected"),
    [
        # Both are examples in docs/league-file.md.
        ("[[stages]]\nkeep = 10\ncycles = 10\n" + FINAL, 12, ""),
        ("[[stages]]\nkeep = 4\ncycles = 2\n" + FINAL.replace("40", "100"), 9, ""),
        ("[[stages]]\nkeep = 12\ncycles = 40\n" + FINAL, 12, ""),
        ("[[stages]]\nkeep = 9\ncycles = 1\n[[stages]]\nkeep = 7\ncycles = 1\n" + FINAL, 9, ""),
        ("[[stages]]\nkeep = 4\ncycles = 20\n" + FINAL, 12, "when there were up to 12 bots and not 4"),
        ("[[stages]]\nkeep = 10\ncycles = 40\n" + FINAL, 12, "that weighs"),
        ("[[stages]]\nkeep = 10\n[[stages]]\ncarry = true\n", 12, "50 % of what is played would be from"),
        ("[[stages]]\nkeep = 2\ncycles = 1\n" + FINAL, 12, "a final of two carries nothing"),
        ('[[stages]]\nkeep = "contenders 2"\ncycles = 1\n' + FINAL, 12, UNKNOWN),
        ("[[stages]]\nkeep = 10\n" + FINAL + 'stop = "settled"\n', 12, UNKNOWN),
        ('[schedule]\nstop = "settled"\n[[stages]]\nkeep = 10\n' + FINAL, 12, UNKNOWN),
        ('open = true\nentries = "entries/*"\n[[stages]]\nkeep = 10\n' + FINAL, 12, UNKNOWN),
    ],
)
def test_a_league_file_says_whether_earlier_stages_may_count(stages: str, number: int, expected: str) -> None:
    found = said(HEAD + stages + bots(number))
    assert expected in found if expected else not found, found


@pytest.mark.parametrize("line_ups", ["all", "balanced"])
@pytest.mark.parametrize("number", [3, 6, 9])
def test_the_rounds_of_each_bot_are_those_of_the_schedule(line_ups: str, number: int) -> None:
    text = HEAD + f'rounds = 5\n[schedule]\nline_ups = "{line_ups}"\n[[stages]]\nkeep = 3\n[[stages]]\n'
    league = parse_league(text + bots(number), Path("l.toml"))
    found = planned(stage_league(league, 1))
    plan = Plan(found.field)
    rounds = [
        sum(
            5 * plan.matches_per_session
            for cycle in range(found.cycles)
            for session in plan.cycle(cycle)
            if bot in session.order
        )
        for bot in range(found.field.bots)
    ]
    assert set(rounds) == {found.plan.rounds}
    assert found.plan.bots == max(4, number), "house bots fill the table"


def test_auto_cycles_of_the_last_stage_are_those_of_its_field() -> None:
    league = parse_league(HEAD + "[[stages]]\nkeep = 4\n[[stages]]\n" + bots(9), Path("l.toml"))
    final = planned(stage_league(league, 2, league.bots[:4]))
    assert (final.cycles, final.plan) == (34, StagePlan(4, 34 * 16))
