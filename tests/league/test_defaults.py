"""Defaults that follow from something else: above all the folder of a bot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.league.defaults import with_defaults


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "bots" / "duck").mkdir(parents=True)
    for name in ("bot.py", "weights.bin", "duck"):
        (tmp_path / "bots" / "duck" / name).touch()
    return tmp_path


def bot(root: Path, **keys: object) -> dict[str, Any]:
    result: Any = with_defaults({"bots": [{"name": "Duck", **keys}]}, root / "league.toml")
    return dict(result["bots"][0])


def test_the_folder_of_the_one_file(root: Path) -> None:
    made = bot(root, command=["{python}", "-u", "bots/duck/bot.py", "--fast"])
    assert (made["folder"], made["command"]) == ("bots/duck", ["{python}", "-u", "bot.py", "--fast"])


def test_a_program_is_called_in_its_folder(root: Path) -> None:
    made = bot(root, command=["./bots/duck/duck"])
    assert (made["folder"], made["command"]) == ("bots/duck", ["./duck"])


def test_the_same_file_twice_is_one_file(root: Path) -> None:
    made = bot(root, command=["bots/duck/duck", "--self", "bots/duck/./duck"])
    assert (made["folder"], made["command"]) == ("bots/duck", ["./duck", "--self", "duck"])


@pytest.mark.parametrize(
    "command",
    [
        ["{python}", "bots/duck/bot.py", "bots/duck/weights.bin"],  # two files
        ["{python}", "bots/duck"],  # a folder
        ["{python}", "bots/duck/absent.py"],
        ["{python}", "x" * 5000],
        ["{python}", "bots\0duck"],
        ["{python}"],
        [],
    ],
)
def test_no_folder_where_no_single_file_is_named(root: Path, command: list[str]) -> None:
    made = bot(root, command=command)
    assert "folder" not in made
    assert made["command"] == command


def test_a_match_has_as_many_rounds_as_seats(root: Path) -> None:
    made: Any = with_defaults({"league": {"seats": 5}}, root / "x.toml")
    assert made["league"] == {"seats": 5, "rounds": 5}


@pytest.mark.parametrize("raw", [{"league": 3}, {"bots": 3}, {"bots": [3]}, {"store": 3}, {"report": []}])
def test_what_is_of_another_type_is_left_as_it_is(raw: dict[str, object], root: Path) -> None:
    made = with_defaults(raw, root / "x.toml")
    assert {key: made[key] for key in raw} == raw
