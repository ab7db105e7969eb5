"""Bots named on a command line: what is meant, what they are called, and what to do when it is nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.league import read_league
from arena.league.given_bots import find_bots, sample_names

LEAGUE = """
[league]
name = "L"
seats = 3
[[bots]]
name = "My Duck"
folder = "ours/duck"
command = ["./run", "--fast"]
threads = 2
[[bots]]
name = "Frog"
folder = "ours/frog"
command = ["{python}", "bot.py"]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, executable: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    path.chmod(0o755 if executable else 0o644)
    return path


def test_a_sample() -> None:
    (bot,) = find_bots(["duck"], None, Path("/work"))
    assert (bot.name, bot.id, bot.command) == ("Duck", "duck", ("{python}", "bot.py"))
    assert Path("/work", bot.folder, "bot.py").is_file()
    assert {"duck", "sharp", "random"} <= set(sample_names())


@pytest.mark.parametrize(
    ("file", "given", "name", "command"),
    [
        ("v2/bot.py", "v2/bot.py", "v2", ("{python}", "bot.py")),
        ("v2/clever.py", "v2/clever.py", "clever", ("{python}", "clever.py")),
        ("v2/main.js", "v2", "v2", ("node", "main.js")),
        ("v2/player", "v2/player", "player", ("./player",)),
        ("v2/player", "mine=v2", "mine", ("./player",)),
        ("v2/bot.rb", "ruby v2/bot.rb --fast", "v2", ("ruby", "bot.rb", "--fast")),
    ],
)
def test_files_folders_and_commands(
    here: Path, file: str, given: str, name: str, command: tuple[str, ...]
) -> None:
    put(here / file, executable="." not in file)
    (bot,) = find_bots([given], None, here / "results")
    assert (bot.name, bot.folder, bot.command) == (name, "../v2", command)


def test_files_of_a_command_may_be_absolute(here: Path) -> None:
    file, interpreter = put(here / "v2" / "bot.rb"), put(here / "bin" / "ruby", executable=True)
    (by_file,) = find_bots([f"{interpreter} {file} --fast"], None, here)
    assert (by_file.folder, by_file.command) == ("v2", (str(interpreter), "bot.rb", "--fast"))
    (program,) = find_bots([f"{interpreter} --fast"], None, here)
    assert (program.folder, program.command) == ("bin", ("./ruby", "--fast"))


def test_bots_of_a_league_come_as_they_are_there(here: Path) -> None:
    put(here / "league" / "l.toml").write_text(LEAGUE)
    league = read_league(here / "league" / "l.toml")
    mine, again, frog = find_bots(["my-duck", "second=MY DUCK", "Frog"], league, here)
    assert (mine.name, mine.folder, mine.command) == ("My Duck", "league/ours/duck", ("./run", "--fast"))
    assert mine.threads == again.threads == 2
    assert (again.name, again.id, frog.id) == ("second", "second", "frog")


def test_the_same_bot_again_has_a_number() -> None:
    found = find_bots(["duck", "duck", "Duck 2=sharp", "duck"], None, Path("/"))
    assert [bot.name for bot in found] == ["Duck", "Duck 2", "Duck 2 2", "Duck 3"]
    assert len({bot.id for bot in found}) == 4


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("dukc", "dukc: no such bot; did you mean duck"),
        ("a/b/c.py", "Give a file, a folder, or a command in quotes; samples: count"),
        ("plain.txt", "neither Python .* not executable; chmod"),
        ("empty", "no program in this folder; name the file to run, such as empty/bot.py"),
        ("tcl", "no program in this folder; chmod .x tcl/bot.tcl, .* such as 'PROGRAM tcl/bot.tcl'"),
        ("both", "several programs in this folder; name the file"),
        ("python3 nothing.py", "exactly one word of a command has to be an existing file.*; there is none"),
        ("cat plain.txt both/bot.py", "there are plain.txt, both/bot.py"),
        ("boht", "did you mean both"),
        ("kit/bot.c", "give its folder, kit"),
        ("unclosed 'quote", "no command: No closing quotation"),
        ("\u2603=duck", "no id can be made from the name"),
        ("x" * 300, "no such bot"),
        ("   =duck", 'a bot\'s name: .* 1 to 40 visible characters \\(nothing but spaces\\), got "   "'),
        ("\u3164=duck", "a bot's name: .*U.3164. cannot be seen"),
        ("x\u202ey=duck", r'a bot\'s name: .* got "x\\u202Ey"'),
        ("x" * 41 + "=duck", "a bot's name: expected a text of 1 to 40 visible characters, got"),
        ("\u3164/bot.py", "a bot's name: .*U.3164. cannot be seen"),
    ],
)
def test_what_is_no_bot(here: Path, given: str, said: str) -> None:
    put(here / "plain.txt")
    (here / "empty").mkdir()
    put(here / "kit" / "bot.c")
    put(here / "kit" / "bot.toml")
    put(here / "both" / "bot.py")
    put(here / "both" / "main.js")
    put(here / "tcl" / "bot.tcl")
    put(here / "\u3164" / "bot.py")
    with pytest.raises(UsageError, match=said):
        find_bots([given], None, here)


def test_an_option_of_a_command_is_not_taken_for_a_name(here: Path) -> None:
    put(here / "bot.py")
    unnamed, named = find_bots(["perl bot.py --level=3", "Mine=perl bot.py --level=3"], None, here)
    assert (unnamed.name, named.name) == (here.name, "Mine")
    assert unnamed.command == named.command == ("perl", "bot.py", "--level=3")


def test_a_word_of_a_command_may_be_longer_than_any_path(here: Path) -> None:
    put(here / "bot.py")
    (bot,) = find_bots([f"perl bot.py {'x' * 300}"], None, here)
    assert bot.command == ("perl", "bot.py", "x" * 300)
    with pytest.raises(UsageError, match="exactly one word of a command has to be an existing file"):
        find_bots([f"perl -e {'x' * 300}"], None, here)
