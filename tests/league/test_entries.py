"""Bots that come by folders: what they may say of themselves, and whose an id and a name are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.errors import LeagueFileError
from arena.league.entries import Waiting, folders_of, section_of_folder, sections
from arena.league.model import BotSection
from arena.league.reader import LoadedLeague, read_league
from tests.running import make_bot

COMMAND = 'command = ["{python}", "bot.py"]\n'


def there(loaded: LoadedLeague) -> tuple[list[BotSection], list[Waiting]]:
    """The bots that a league has now, and the folders that hold none."""
    return sections(loaded.league, loaded.root)


def league(folder: Path, bots: str = "") -> LoadedLeague:
    path = folder / "league.toml"
    path.write_text(f'[league]\nname = "Ours"\nseats = 3\nopen = true\nentries = "entries/*"\n{bots}')
    (folder / "entries").mkdir(exist_ok=True)
    return read_league(path)


def put(folder: Path, bot: str, text: str = COMMAND) -> Path:
    place = folder / "entries" / bot
    make_bot(place, "")
    (place / "bot.toml").write_text(text)
    return place


def test_a_folder_is_a_bot_with_the_id_of_its_name(tmp_path: Path) -> None:
    put(tmp_path, "duck", f'name = "Drake"\nauthor = "Ada"\nbuild = ["make"]\n{COMMAND}')
    put(tmp_path, "ant")
    found, refused = there(league(tmp_path))
    assert refused == []
    assert [(one.id, one.name, one.folder) for one in found] == [
        ("ant", "ant", "entries/ant"),
        ("duck", "Drake", "entries/duck"),
    ]
    assert (found[1].author, found[1].build) == ("Ada", ("make",))


@pytest.mark.parametrize(
    ("program", "allowed"),
    [("../ant/bot", False), ("/srv/x/bin/tool", False), ("/usr/../srv/x", False), ("/usr/bin/perl", True),
     ("./bot", True), ("node", True)],
)  # fmt: skip
def test_nobody_names_a_program_elsewhere_on_the_machine(tmp_path: Path, program: str, allowed: bool) -> None:
    one = section_of_folder(put(tmp_path, "duck", f'command = ["{program}"]\n'), "entries/duck")
    assert isinstance(one, Waiting) is not allowed
    assert isinstance(one, BotSection) or f"entries/duck/bot.toml: command: {program}: only the" in one.reason


@pytest.mark.parametrize(
    "key",
    ["threads = 8", 'role = "house"',
     'id = "rival"', 'folder = "../rival"'],
)  # fmt: skip
def test_nobody_grants_itself_what_only_the_league_file_may(tmp_path: Path, key: str) -> None:
    one = section_of_folder(put(tmp_path, "duck", f"{COMMAND}{key}\n"), "entries/duck")
    name = key.partition(" ")[0]
    assert one == Waiting(
        "duck", f"entries/duck/bot.toml: {name}: only the league file may say this of a bot; remove it"
    )


def test_a_key_that_nobody_knows_gets_the_nearest_one_told(tmp_path: Path) -> None:
    one = section_of_folder(put(tmp_path, "duck", f'{COMMAND}autor = "Ada"\n'), "entries/duck")
    assert isinstance(one, Waiting)
    assert one.reason.startswith("entries/duck/bot.toml: autor: unknown key")
    assert "author" in one.reason


@pytest.mark.parametrize("text", ["", "name =", 'name = "x"\n', "command = 7\n", "\xff", COMMAND * 2, None])
def test_a_file_that_is_wrong_is_a_reason_and_no_error(tmp_path: Path, text: str | None) -> None:
    place = put(tmp_path, "duck")
    if text is None:
        (place / "bot.toml").unlink()
        os.mkfifo(place / "bot.toml")
    else:
        (place / "bot.toml").write_bytes(text.encode("latin-1"))
    one = section_of_folder(place, "entries/duck")
    assert isinstance(one, Waiting)
    assert "entries/duck" in one.reason


def test_an_id_and_a_name_belong_to_the_first_that_has_them(tmp_path: Path) -> None:
    make_bot(tmp_path / "bots/duck", "")
    given = f'[[bots]]\nname = "Duck"\nid = "duck"\nfolder = "bots/duck"\n{COMMAND}'
    put(tmp_path, "duck", f'name = "Mine"\n{COMMAND}')
    put(tmp_path, "ant", f'name = "Twin"\n{COMMAND}')
    put(tmp_path, "bee", f'name = "TWIN"\n{COMMAND}')
    put(tmp_path, "cow", f'name = "House 1"\n{COMMAND}')
    for name in ("house-7", "stand-in", "Big", "a_b"):
        put(tmp_path, name)
    loaded = league(tmp_path, given)
    assert [one.id for one in sections(loaded.league, loaded.root, {"bee"})[0]] == ["duck", "bee"]
    found, refused = there(loaded)
    assert [one.id for one in found] == ["duck", "ant"]
    assert {one.bot: one.reason for one in refused} == {
        "duck": "entries/duck: the id duck belongs to the bot in bots/duck",
        "bee": "entries/bee: the name TWIN belongs to ant; choose another in bot.toml",
        "cow": "entries/cow: House 1 is an arena's own bot; choose another name in bot.toml",
        "house-7": "entries/house-7: house-1, house-2, ... are the arena's own bots; rename the folder",
        "stand-in": '"stand-in" is what plays for bots that fail; rename the folder entries/stand-in',
        "Big": "entries/Big: an id is 1 to 40 of a-z, 0-9 and -; rename the folder",
        "a_b": "entries/a_b: an id is 1 to 40 of a-z, 0-9 and -; rename the folder",
    }


def test_files_links_and_hidden_folders_are_no_bots(tmp_path: Path) -> None:
    put(tmp_path, "duck")
    put(tmp_path, ".trash")
    (tmp_path / "entries/README.md").write_text("how to enter")
    (tmp_path / "entries/moved/__pycache__").mkdir(parents=True)
    (tmp_path / "entries/link").symlink_to(tmp_path / "entries/duck")
    loaded = league(tmp_path)
    assert [path.name for path in folders_of(loaded.league, loaded.root)] == ["duck", "link"]
    assert [one.bot for one in there(loaded)[1]] == ["link"]


def closed(folder: Path, bots: str = "", pattern: str = "entries/*") -> Path:
    """A league whose bots do not change, with the folders of `entries`."""
    path = folder / "league.toml"
    path.write_text(f'[league]\nname = "Ours"\nseats = 3\nentries = "{pattern}"\n{bots}')
    return path


def complaints(path: Path) -> list[str]:
    with pytest.raises(LeagueFileError) as caught:
        read_league(path, to_play=True)
    return [line.removeprefix(f"{path}:") for line in str(caught.value).split("\n")]


def test_a_closed_league_has_the_bots_of_its_sections_then_those_of_its_folders(tmp_path: Path) -> None:
    for name in ("duck", "bee", "ant"):
        put(tmp_path, name)
    special = '[[bots]]\nname = "Thinker"\nid = "duck"\nfolder = "entries/duck"\nthreads = 2\n' + COMMAND
    found = read_league(closed(tmp_path, special), to_play=True)
    assert [bot.id for bot in found.league.bots] == ["duck", "ant", "bee"]
    assert (found.league.bots[0].name, found.league.bots[0].threads) == ("Thinker", 2)
    assert found.bot_folder(found.league.bots[1]) == tmp_path / "entries/ant"
    assert there(found) == (list(found.league.bots), [])


def test_every_folder_of_a_closed_league_that_holds_no_bot_is_named(tmp_path: Path) -> None:
    make_bot(tmp_path / "entries/bare", "")
    put(tmp_path, "bee", f"{COMMAND}threads = 2\n")
    put(tmp_path, "duck")
    rival = f'[[bots]]\nname = "Duck"\nfolder = "entries/../rival"\n{COMMAND}'
    make_bot(tmp_path / "rival", "")
    path = closed(tmp_path, rival)
    assert complaints(path) == [
        "4: [league] entries: entries/bare/bot.toml: there is no such file; it says how the bot is started",
        "4: [league] entries: entries/bee/bot.toml: threads: only the league file may say this of a bot; "
        "remove it",
        "4: [league] entries: entries/duck: the id duck belongs to the bot in entries/../rival",
    ]
    assert [bot.id for bot in read_league(path).league.bots] == ["duck"], "to look at it, that is no mistake"


def test_a_pattern_that_names_nothing(tmp_path: Path) -> None:
    (tmp_path / "entries").mkdir()
    assert complaints(closed(tmp_path)) == [
        '4: [league] entries: "entries/*" names no folder; put the bots\' there'
    ]
    assert complaints(closed(tmp_path, pattern="entires/*")) == [
        '4: [league] entries: there is no folder "entires" beside this file; did you mean "entries"?'
    ]
    assert read_league(closed(tmp_path, pattern="entires/*")).league.bots == ()
