"""Reading league.toml: what is read, and the exact words for everything that can be wrong with it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from arena.errors import LeagueFileError
from arena.league import parse_league, read_league
from arena.league.model import NO_BOTS
from arena.league.problems import WRITE_BOTS
from tests.league.samples import HEAD, PATH, bots, text


def complaints(content: str, path: Path = PATH) -> list[str]:
    with pytest.raises(LeagueFileError) as caught:
        parse_league(content, path)
    return str(caught.value).split("\n")


def test_the_shortest_league_has_every_default() -> None:
    league = parse_league(text(), Path("league.toml"))
    assert league.league.rounds == 4
    assert [bot.id for bot in league.bots] == ["b1", "b2", "b3", "b4"]
    assert league.sandbox.mode == "auto"


def test_a_file_gives_paths_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "Spring Cup.toml"
    file.write_text(text(), encoding="utf-8")
    loaded = read_league(file)
    assert (loaded.id, loaded.name, loaded.root) == ("spring-cup", "Test", tmp_path)
    assert loaded.database == tmp_path / "spring-cup.db"
    assert loaded.lock == tmp_path / "spring-cup.lock"
    assert loaded.arena_folder == tmp_path / "spring-cup.arena"
    assert loaded.report_folder == tmp_path / "spring-cup-report"
    assert loaded.bot_folder(loaded.league.bots[1]) == tmp_path / "bots/b2"
    assert loaded.digest == hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    file.write_bytes(b"\xef\xbb\xbf" + text().encode())
    assert read_league(file).name == "Test"


KEY_ERRORS = {
    "text for a number": ('rounds = "4"', '[league] rounds: expected a whole number from 3 to 1000, got "4"'),
    "number for a boolean": ("open = 1", "[league] open: expected true or false, got 1"),
    "few rounds": ("rounds = 2", "[league] rounds: expected a whole number from 3 to 1000, got 2"),
    "unknown key": ("roundz = 4", '[league] roundz: unknown key; did you mean "rounds"?'),
    "key of another section": (
        "move_seconds = 1",
        "[league] move_seconds: unknown key; it belongs in [time]",
    ),
    "key of nowhere": ("zzz = 1", "[league] zzz: unknown key"),
    "an id, which is the file's name": ('id = "cup"', "[league] id: unknown key; it belongs in [[bots]]"),
}


@pytest.mark.parametrize(("line", "words"), KEY_ERRORS.values(), ids=KEY_ERRORS.keys())
def test_a_wrong_key_of_the_league_section(line: str, words: str) -> None:
    assert complaints(text(f"{line}\n")) == [f"league.toml:4: {words}"]


SECTION_ERRORS = {
    "nan": (
        "[time]",
        "move_seconds = nan",
        "[time] move_seconds: expected a number from 0.001 to 3600, got nan",
    ),
    "endless": (
        "[time]",
        f"move_seconds = {'9' * 400}",
        f"[time] move_seconds: expected a number from 0.001 to 3600, got {'9' * 37}...",
    ),
    "whole as float": (
        "[faults]",
        "max_faults = 3.0",
        "[faults] max_faults: expected a whole number from 1 to 10000, got 3.0",
    ),
    "near choice": (
        "[schedule]",
        'stop = "cycle"',
        '[schedule] stop: expected "cycles" or "settled", got "cycle"; did you mean "cycles"?',
    ),
    "choice or number": (
        "[schedule]",
        "cycles = 0",
        '[schedule] cycles: expected "auto" or a whole number from 1 to 100000, got 0',
    ),
    "seed with a bar": (
        "[schedule]",
        'seed = "a|b"',
        "[schedule] seed: expected a text of 1 to 200 printable ASCII characters without | "
        """(character 2 is '|': expected printable ASCII without "|"), got "a|b\"""",
    ),
    "item of a list": (
        "[report]",
        'publish = ["replays", "fault"]',
        '[report] publish: expected a list of "replays", "faults", "stderr", "messages", "commands", '
        'got "fault" as item 2; did you mean "faults"?',
    ),
    "database": (
        "[store]",
        'url = "spring.db"',
        '[store] url: expected a database address (for example "sqlite:///league.db"), got "spring.db"',
    ),
    "no file for the database": (
        "[store]",
        'url = "sqlite://"',
        "[store] url: expected a database address "
        '(for SQLite write "sqlite:///" and the name of a file), got "sqlite://"',
    ),
}


@pytest.mark.parametrize(("section", "line", "words"), SECTION_ERRORS.values(), ids=SECTION_ERRORS.keys())
def test_a_wrong_key_of_another_section(section: str, line: str, words: str) -> None:
    assert complaints(text(f"{section}\n{line}\n")) == [f"league.toml:5: {words}"]


BOT_ERRORS = {
    "empty command": (
        "command = []",
        "command: expected a list of texts: a program and its arguments "
        '(for example ["{python}", "bot.py"]), got an empty list',
    ),
    "number in it": (
        'command = ["bot", 3]',
        "command: expected a list of texts: a program and its arguments, got 3 as item 2",
    ),
    "placeholder": (
        'command = ["{pyton}", "bot.py"]',
        "command: expected a list of texts: a program and its arguments "
        '(the only placeholder is "{python}"), got "{pyton}" as item 1',
    ),
    "id": (
        'command = ["b"]\nid = "a/b"',
        'id: expected a text of 1 to 40 of a-z, 0-9 and - (for example "a-b"), got "a/b"',
    ),
    "unknown": ('command = ["b"]\nauthors = "x"', 'authors: unknown key; did you mean "author"?'),
    "another word": ('command = ["b"]\npath = "x"', 'path: unknown key; did you mean "folder"?'),
}


@pytest.mark.parametrize(("lines", "words"), BOT_ERRORS.values(), ids=BOT_ERRORS.keys())
def test_a_wrong_key_of_a_bot(lines: str, words: str) -> None:
    content = text(after_bots=f'[[bots]]\nname = "Last"\nfolder = "bots/last"\n{lines}\n')
    line = content.count("\n")
    assert complaints(content) == [f"league.toml:{line}: [[bots]] number 5, {words}"]


NAME_ERRORS = {
    "control": ("a\\u0007b", "character 2 (U+0007) cannot be seen", "a\\u0007b"),
    "bidi": ("a\\u202Eb", "character 2 (U+202E) cannot be seen", "a\\u202Eb"),
    "only spaces": ("   ", "nothing but spaces", "   "),
    "a filler": ("\\u3164", "character 1 (U+3164) cannot be seen", "\u3164"),
    "blank braille": ("\\u2800", "character 1 (U+2800) cannot be seen", "\u2800"),
    "an accent alone": ("\\u0301", "character 1 (U+0301) is a mark without a letter", "\u0301"),
    "a selector alone": ("\\ufe0f", "character 1 (U+FE0F) cannot be seen", "\ufe0f"),
    "not NFC": (
        "e\\u0301",
        "is not in Unicode normal form C (NFC); type it again in an ordinary editor",
        "e\u0301",
    ),
    "space at the end": ("a ", "a space at the beginning or end", "a "),
}


@pytest.mark.parametrize(("name", "reason", "got"), NAME_ERRORS.values(), ids=NAME_ERRORS.keys())
def test_a_name_that_cannot_be_shown(name: str, reason: str, got: str) -> None:
    content = text(after_bots=f'[[bots]]\nname = "{name}"\nid = "x"\nfolder = "x"\ncommand = ["x"]\n')
    expected = f'expected a text of 1 to 40 visible characters ({reason}), got "{got}"'
    assert complaints(content) == [f"league.toml:21: [[bots]] number 5, name: {expected}"]


def test_a_name_with_an_emoji_is_a_name_and_its_selector_makes_no_other() -> None:
    bot = '[[bots]]\nname = "{}"\nid = "{}"\nfolder = "x"\ncommand = ["x"]\n'
    (said,) = complaints(
        text(after_bots=bot.format("Duck \u2764\ufe0f", "x") + bot.format("Duck \u2764", "y"))
    )
    assert "the same name as that of" in said


def test_names_and_ids_that_are_alike_are_all_named() -> None:
    extra = '[[bots]]\nname = "b1"\nid = "b2"\nfolder = "x"\ncommand = ["x"]\n'
    assert complaints(text(after_bots=extra)) == [
        'league.toml:21: [[bots]] number 5, name: the same name as that of "B1"; each bot needs its own',
        'league.toml:22: [[bots]] number 5, id: the same id as that of "B2"; each bot needs its own',
    ]


def test_a_name_that_is_there_twice_is_one_mistake() -> None:
    """The id follows from it, so it would be the same mistake again."""
    extra = '[[bots]]\nname = "b1"\nfolder = "x"\ncommand = ["x"]\n'
    assert complaints(text(after_bots=extra)) == [
        'league.toml:21: [[bots]] number 5, name: the same name as that of "B1"; each bot needs its own'
    ]


@pytest.mark.parametrize(
    ("lines", "line"), [('name = "Stand-In"', 20), ('name = "x"\nid = "stand-in"', 22)], ids=["name", "id"]
)
def test_no_bot_can_be_the_stand_in(lines: str, line: int) -> None:
    extra = f'[[bots]]\n{lines}\nfolder = "x"\ncommand = ["x"]\n'
    words = '"stand-in" is what plays in the seats of excluded bots; choose another id'
    assert complaints(text(after_bots=extra)) == [f"league.toml:{line}: [[bots]] number 5, id: {words}"]


def test_a_name_without_any_letter_for_an_id() -> None:
    extra = '[[bots]]\nname = "鴨"\nfolder = "x"\ncommand = ["x"]\n'
    words = 'no id can be made from this name; give one, for example id = "duck"'
    assert complaints(text(after_bots=extra)) == [f"league.toml:20: [[bots]] number 5, id: {words}"]


def test_a_folder_that_cannot_be_told_from_the_command() -> None:
    extra = '[[bots]]\nname = "Last"\ncommand = ["{python}", "no/such/bot.py"]\n'
    words = (
        'command does not name exactly one existing file; give the folder, for example folder = "bots/duck"'
    )
    assert complaints(text(after_bots=extra)) == [f"league.toml:20: [[bots]] number 5, folder: {words}"]


@pytest.mark.parametrize("folder", [".", "..", "bots/..", "./"])
def test_a_folder_that_holds_the_league_file(folder: str, tmp_path: Path) -> None:
    extra = f'[[bots]]\nname = "Last"\nfolder = "{folder}"\ncommand = ["x"]\n'
    path = tmp_path / "league.toml"
    words = f'"{folder}" holds the league file itself; give the bot its own folder'
    assert complaints(text(after_bots=extra), path) == [f"{path}:22: [[bots]] number 5, folder: {words}"]


def test_missing_keys_and_sections() -> None:
    assert complaints("[league]\nseats = 4\n" + bots(4)) == [
        "league.toml:1: [league] name: missing; expected a text of 1 to 80 visible characters"
    ]
    assert complaints(bots(4)) == ["league.toml:1: [league]: missing; it needs name and seats"]
    assert complaints(HEAD) == [f"league.toml:1: [[bots]]: {NO_BOTS}"]
    assert complaints("bots = []\n" + HEAD) == [f"league.toml:1: [[bots]]: {NO_BOTS}"]
    assert complaints(text(after_bots='[[bots]]\nfolder = "x"\n')) == [
        "league.toml:20: [[bots]] number 5, name: missing; expected a text of 1 to 40 visible characters",
        "league.toml:20: [[bots]] number 5, command: missing; "
        "expected a list of texts: a program and its arguments",
    ]


def test_sections_that_are_not_sections() -> None:
    assert complaints("time = 3\n" + text()) == [
        "league.toml:1: [time]: expected the section [time] with keys, got 3"
    ]
    assert complaints(HEAD + '[bots]\nname = "x"\n') == [
        "league.toml:4: [[bots]]: write [[bots]] with double brackets, once for each bot"
    ]
    assert complaints(text(after_bots="[sandbx]\n")) == [
        'league.toml:20: sandbx: unknown section; did you mean "sandbox"?'
    ]
    assert complaints("seats = 4\n" + text()) == [
        "league.toml:1: seats: unknown key outside of all sections; it belongs in [league]"
    ]
    assert complaints("bots = [3]\n" + HEAD) == [
        "league.toml:1: [[bots]] number 1: expected a section [[bots]] with keys, got 3"
    ]


def test_too_many_bots() -> None:
    assert complaints(text(count=501)) == ["league.toml:4: [[bots]]: at most 500 bots can play in a league"]


def test_several_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    content = text('rounds = "x"\n[process]\ntables = 65\ntabels = 1\n', after_bots="threads = 0\n")
    assert complaints(content) == [
        'league.toml:4: [league] rounds: expected a whole number from 3 to 1000, got "x"',
        "league.toml:6: [process] tables: expected a whole number from 1 to 64, got 65",
        'league.toml:7: [process] tabels: unknown key; did you mean "tables"?',
        "league.toml:24: [[bots]] number 4, threads: expected a whole number from 1 to 1024, got 0",
    ]


SYNTAX = {
    "unclosed header": ("[league\n", "1:8: not valid TOML: expected ']' at the end of a table declaration"),
    "no value": ("[league]\nname =\n", "2:7: not valid TOML: invalid value"),
    "key twice": (
        '[league]\nname = "a"\nname = "b"\n',
        "3:11: the key is there twice, or a value and a section have the same name",
    ),
    "[bots] twice": ('[bots]\nname = "a"\n[bots]\nname = "b"\n', f"3:6: {WRITE_BOTS}"),
    "[bots], then [[bots]]": ('[bots]\nname = "a"\n[[bots]]\nname = "b"\n', f"3:7: {WRITE_BOTS}"),
    "[[bots]], then [bots]": ('[[bots]]\nname = "a"\n[ bots ]\nname = "b"\n', f"3:8: {WRITE_BOTS}"),
    "a boolean of Python": (
        "[league]\nopen = True # yes\n",
        "2:8: not valid TOML: true and false are written in small letters",
    ),
    "end of file": ('[league]\nname = """abc\n', "3: not valid TOML: unterminated string"),
    "endless integer": (f"a = {'9' * 5000}\n", "1: not valid TOML: a number with too many digits"),
    "too deep": (f"a = {'[' * 5000}\n", "1: not valid TOML: nested too deeply"),
}


@pytest.mark.parametrize(("content", "words"), SYNTAX.values(), ids=SYNTAX.keys())
def test_text_that_is_not_toml(content: str, words: str) -> None:
    assert complaints(content) == [f"league.toml:{words}"]


@pytest.mark.parametrize("content", ["", "\n", "# nothing but this\n"])
def test_an_empty_file(content: str) -> None:
    assert complaints(content) == [
        "league.toml:1: empty; a league needs [league] with name, seats and entries, or [[bots]]"
    ]


def refused(path: Path) -> str:
    with pytest.raises(LeagueFileError) as caught:
        read_league(path)
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert refused(tmp_path / "x.toml") == f"{tmp_path}/x.toml: no such file"
    (tmp_path / "league.toml").touch()
    (tmp_path / "cup.toml").touch()
    assert refused(tmp_path / "leage.toml") == (
        f"{tmp_path}/leage.toml: no such file; did you mean {tmp_path}/league.toml?"
    )
    assert refused(tmp_path / "quite-different") == f"{tmp_path}/quite-different: no such file"


def test_the_only_league_file_of_a_folder_is_meant(tmp_path: Path) -> None:
    (tmp_path / "spring.toml").touch()
    near = f"did you mean {tmp_path}/spring.toml?"
    assert refused(tmp_path / "abc") == f"{tmp_path}/abc: no such file; {near}"
    assert refused(tmp_path) == f"{tmp_path}: a folder, not a league file; {near}"


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    file.write_bytes(b'[league]\nname = "Fr\xfchling"\n')
    assert refused(file) == f"{file}:2: not UTF-8 text; save the file as UTF-8"
