"""The keys of a league file, and the documents that must agree with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.errors import LeagueFileError
from arena.league import parse_league, read_league
from arena.league.cycles import cycles_of
from arena.league.describe import KeyInfo, all_keys, heading_of, keys_of, sections
from arena.league.fieldtypes import KeyClass
from arena.league.house import schedule_field
from arena.schedule import Plan

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "league-file.md"
EXAMPLE = ROOT / "league.toml"
_VALUE = re.compile(r'["\d\[{]|true|false')  # a default written as TOML, not in words
_COLUMNS = ("key", "type", "default", "class", "meaning")


def rows_of(section: str) -> list[tuple[str, str, str, str, str]]:
    return [_row(key) for key in all_keys().values() if key.section == section]


def table_of_keys() -> str:
    """The whole table as Markdown: the number of keys, the classes, then one table for each section."""
    blocks = [f"{len(all_keys())} keys. Each has a class:"]
    blocks += ["\n".join(f"- **{klass.value}**: {klass.meaning}." for klass in KeyClass)]
    for section in sections():
        lines = [_line(_COLUMNS), _line(["---"] * len(_COLUMNS))]
        lines += [_line([_escaped(cell) for cell in row]) for row in rows_of(section)]
        blocks.append(f"### `{heading_of(section)}`\n\n" + "\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _row(key: KeyInfo) -> tuple[str, str, str, str, str]:
    default = f"`{key.default}`" if _VALUE.match(key.default) else key.default
    return f"`{key.name}`", key.expected, default, key.klass.value, key.meaning


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")


def test_every_key_of_every_section_is_described() -> None:
    assert list(sections()) == [
        "league", "time", "faults", "schedule", "process", "sandbox", "cluster", "store", "report", "stages",
        "bots",
    ]  # fmt: skip
    for key in all_keys().values():
        assert key.meaning, key.path
        assert key.expected, key.path
        assert key.default, key.path
    assert len(all_keys()) == sum(len(keys_of(section)) for section in sections()) <= 40


def test_the_guide_lists_every_key() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    found = re.search(r"<!-- keys: begin -->\n(.*)<!-- keys: end -->", guide, re.DOTALL)
    assert found is not None
    assert found.group(1) == table_of_keys()


def toml_blocks() -> list[str]:
    return re.findall(r"```toml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", [2, 3])
def test_the_two_ways_to_name_a_folder_are_the_same_bot(number: int) -> None:
    head = '[league]\nname = "x"\nseats = 3\n'
    others = "".join(f'[[bots]]\nname = "B{at}"\nfolder = "b{at}"\ncommand = ["x"]\n' for at in range(2))
    block = toml_blocks()[number]
    duck = parse_league(f'{head}{others}[[bots]]\nname = "Duck"\n{block}', ROOT / "league.toml").bots[-1]
    assert (duck.folder, duck.command) == ("bots/python/duck", ("{python}", "bot.py"))


def test_the_guide_shows_errors_as_they_are() -> None:
    shown = re.findall(r"^league\.toml:\d+: .*$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    content = EXAMPLE.read_text(encoding="utf-8").partition("[league]")[2]
    head = "\n".join(["[league]", *content.strip().split("\n")[:4]])
    wrong = f'{head}\n[time]\nmove_secnds = 1\n[schedule]\ncycles = "8"\n'
    with pytest.raises(LeagueFileError) as caught:
        parse_league(wrong, Path("league.toml"))
    assert str(caught.value).split("\n") == shown


def test_the_example_is_the_league_that_the_readme_plays() -> None:
    loaded = read_league(EXAMPLE, to_play=True)
    assert (loaded.database, loaded.report_folder) == (ROOT / "league.db", ROOT / "league-report")
    assert [bot.name for bot in loaded.league.bots] == ["Count", "Duck", "Dump", "Low", "Random", "Sharp"]
    plan = Plan(schedule_field(loaded.league, ""))
    matches = cycles_of(loaded.league) * plan.sessions_per_cycle * plan.matches_per_session
    assert f"six bots, {matches} matches" in (ROOT / "README.md").read_text(encoding="utf-8")
