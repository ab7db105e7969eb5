"""The league file of a gauntlet: what it holds is what was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.league import parse_league
from arena.league.gauntlet_file import WRITTEN, Wishes, gauntlet_text
from arena.league.house import field_of, schedule_field
from arena.league.model import BotSection, League

WISHES = Wishes(4, 8, 0.5, 100, 'a "seed" \\')
RULES = """
[league]
name = "L"
seats = 4
[time]
move_seconds = 0.25
[faults]
fault_points = 7
[sandbox]
read_only = ["/opt/jdk"]
[process]
tables = 2
[[bots]]
name = "A"
folder = "a"
command = ["./a"]
"""


def bot(name: str, **more: object) -> BotSection:
    return BotSection.model_validate(
        {"name": name, "id": name.lower(), "folder": f"bots/{name}", "command": ("./bot",), **more}
    )


def league(text: str) -> League:
    return parse_league(text, Path("/none/mine.toml"))


def test_candidates_are_entrants_and_opponents_house_bots() -> None:
    new = bot("New", threads=1, build=("make", "-j2"))
    text = gauntlet_text([new, bot("Old")], [bot("Wall", role="entrant")], WISHES, None)
    assert text.startswith(WRITTEN)
    found = league(text)
    assert [(each.name, each.role) for each in found.bots] == [
        ("New", "entrant"), ("Old", "entrant"), ("Wall", "house"),
    ]  # fmt: skip
    assert found.bots[0] == new
    assert (found.league.rounds, found.schedule.line_ups) == (8, "gauntlet")
    assert (found.schedule.stop, found.schedule.margin, found.schedule.seed) == ("settled", 0.5, WISHES.seed)
    assert found.faults.disqualify_share == 1.0
    assert [each.name for each in field_of(found)[3:]] == ["House 1", "House 2"]
    assert schedule_field(found, "x").candidates == (0, 1)


@pytest.mark.parametrize(("opponents", "cycles"), [(1, 13), (3, 13), (5, 10), (9, 12)])
def test_the_budget_is_whole_cycles(opponents: int, cycles: int) -> None:
    others = [bot(f"B{number}") for number in range(opponents)]
    assert league(gauntlet_text([bot("New")], others, WISHES, None)).schedule.cycles == cycles


def test_the_rules_of_a_league_hold_here_too() -> None:
    found = league(gauntlet_text([bot("New")], [bot("Wall")], WISHES, league(RULES)))
    assert (found.time.move_seconds, found.faults.fault_points, found.process.tables) == (0.25, 7, 2)
    assert found.sandbox.read_only == ("/opt/jdk",)
    assert found.faults.disqualify_share == 1.0
