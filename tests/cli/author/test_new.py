"""`arena new`: what it makes, prints and refuses. tests/kits/ plays what it makes."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from arena.league import read_league
from arena.league.house import house_folder
from arena.workbench.kits import Kit, find_kit, kits, make_bot
from tests.cli.calling import Arena

LANGS = [kit.lang for kit in kits()]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_languages_that_are_promised() -> None:
    promised = "c cpp csharp go java javascript lua perl python ruby rust typescript"
    assert set(promised.split()) <= set(LANGS)


@pytest.mark.parametrize("kit", kits(), ids=lambda kit: kit.lang)
def test_a_kit_is_copied_under_the_name(kit: Kit, arena: Arena, here: Path) -> None:
    assert arena("new", "Sly Fox", "--lang", kit.lang).code == 0
    files = {str(path.relative_to(here / "Sly Fox")) for path in (here / "Sly Fox").rglob("*")}
    assert {kit.edit, kit.protocol, "README.md", "bot.toml"} <= files
    assert "kit.toml" not in files
    texts = [path.read_text("utf-8") for path in (here / "Sly Fox").rglob("*") if path.is_file()]
    assert not [text for text in texts if "@NAME@" in text]
    assert "Sly Fox" in (here / "Sly Fox" / kit.edit).read_text("utf-8")


@pytest.mark.parametrize("kit", kits(), ids=lambda kit: kit.lang)
def test_the_readme_says_how_as_the_kit_does(kit: Kit, arena: Arena, here: Path) -> None:
    arena("new", "fox", "--lang", kit.lang)
    block = re.search(r"```toml\n(.*?)```", (here / "fox/README.md").read_text("utf-8"), re.DOTALL)
    assert block is not None
    (bot,) = tomllib.loads(block[1])["bots"]
    told = tomllib.loads((here / "fox/bot.toml").read_text("utf-8"))
    assert bot == {**told, "folder": "fox"}


def test_what_python_leaves_beside_its_files_is_not_copied(arena: Arena, here: Path) -> None:
    installed = make_kit(here / "kits" / "toy")
    (installed.folder / "__pycache__").mkdir()
    (installed.folder / "__pycache__" / "bot.cpython-311.pyc").write_bytes(b"@NAME@")
    make_bot(installed, "fox", here / "fox")
    assert sorted(path.name for path in (here / "fox").iterdir()) == ["bot.py", "bot.toml", "papayoo_bot.py"]


def make_kit(folder: Path) -> Kit:
    folder.mkdir(parents=True)
    (folder / "kit.toml").write_text("")
    (folder / "bot.py").write_text('run("@NAME@")')
    return replace(find_kit("python"), folder=folder)


def test_what_is_printed_works(arena: Arena, here: Path) -> None:
    called = arena("new", "Sly Fox")
    lines = [line.strip() for line in called.out.splitlines()]
    for command in (line.split(maxsplit=2) for line in lines if line.startswith("arena ")):
        assert command[2].startswith("'Sly Fox'")
    block = "\n".join(lines[lines.index("[[bots]]") :])
    others = "".join(
        f'\n[[bots]]\nname = "B{number}"\nfolder = "Sly Fox"\ncommand = ["x"]\n' for number in (1, 2)
    )
    (here / "league.toml").write_text(f'[league]\nname = "L"\nseats = 3\n{block}{others}')
    bot = read_league(here / "league.toml").league.bots[0]
    assert (bot.name, bot.folder, bot.command) == ("Sly Fox", "Sly Fox", ("{python}", "bot.py"))
    played = arena("play", "Sly Fox", "low", "duck", "--fail-on-fault", "--rounds", "1")
    assert played.code == 0


@pytest.mark.parametrize(
    ("lang", "made"),
    [("C++", "bot.cpp"), ("cpp", "bot.cpp"), ("rs", "bot.rs"), ("JavaScript", "bot.js"), ("ts", "bot.ts")],
)
def test_a_language_may_be_called_in_several_ways(lang: str, made: str, arena: Arena, here: Path) -> None:
    assert arena("new", "fox", "--lang", lang).code == 0
    assert (here / "fox" / made).is_file()


@pytest.mark.parametrize("lang", ["python", "py", "Python"])
def test_a_template_is_the_sample_bot_under_the_name(lang: str, arena: Arena, here: Path) -> None:
    assert arena("new", "Sly Fox", "--lang", lang, "--template", "Network").code == 0
    made, sample = here / "Sly Fox", house_folder().parents[1] / "python-strong" / "learned"
    assert (made / "weights.npz").read_bytes() == (sample / "weights.npz").read_bytes()
    texts = {path.name: path.read_text("utf-8") for path in made.iterdir() if path.suffix != ".npz"}
    assert set(texts) == {
        "bot.py", "network.py", "train.py", "curve.py", "papayoo_bot.py", "README.md", "bot.toml",
    }  # fmt: skip
    assert not [
        name
        for name, text in texts.items()
        if ("Learned" in text and name != "README.md") or "@NAME@" in text
    ]
    assert 'NAME = "Sly Fox"' in texts["bot.py"]
    block = re.search(r"```toml\n(.*?)```", texts["README.md"], re.DOTALL)
    assert block is not None
    (bot,) = tomllib.loads(block[1])["bots"]
    assert bot == {**tomllib.loads(texts["bot.toml"]), "folder": "Sly Fox"}
    assert set(re.findall(r"`(\w+\.\w+)`", texts["README.md"])) - {"SPEC.md", "learning.md"} <= {
        path.name for path in made.iterdir()
    }


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        (("--template", "nets"), "no template nets for python; there is --lang python --template network"),
        (("--lang", "c", "--template", "network"), "no template network for c; there is --lang python"),
    ],
)
def test_a_template_that_is_not_there_is_answered_with_those_that_are(
    wishes: tuple[str, ...], words: str, arena: Arena, here: Path
) -> None:
    called = arena("new", "fox", *wishes)
    assert called.code == 2
    assert words in called.err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("lang", "hint"),
    [("pyton", "did you mean python?"), ("rusty", "did you mean rust?"), ("cobol", "there are c, cpp, ")],
)
def test_an_unknown_language_is_answered_with_the_nearest(
    lang: str, hint: str, arena: Arena, here: Path
) -> None:
    called = arena("new", "fox", "--lang", lang)
    assert called.code == 2
    assert f"no kit for {lang}; {hint}" in called.err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a/b", "a name, not a path"),
        ("..", "a name is 1 to 40"),
        ("", "a name is 1 to 40"),
        ('say "hi"', "a name is 1 to 40"),
        ("x" * 41, "a name is 1 to 40"),
        ("duck", "the name of a sample bot"),
    ],
)
def test_names_that_cannot_be(name: str, why: str, arena: Arena, here: Path) -> None:
    called = arena("new", name)
    assert called.code == 2
    assert why in called.err
    assert list(here.iterdir()) == []


def test_a_folder_with_something_in_it_is_left_alone(arena: Arena, here: Path) -> None:
    (here / "fox").mkdir()
    assert arena("new", "fox").code == 0
    before = (here / "fox/bot.py").read_text("utf-8")
    called = arena("new", "fox", "--lang", "lua")
    assert called.code == 2
    assert "exists already" in called.err
    assert (here / "fox/bot.py").read_text("utf-8") == before
    assert not (here / "fox/bot.lua").exists()


def test_the_list_says_what_is_missing(
    arena: Arena, here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    called = arena("new", "--list")
    assert called.code == 0
    *lines, template = called.out.splitlines()[1:]
    about = ["python", "--template", "network", "Python,", "with", "a", "network", "-", "has", "everything"]
    assert template.split() == about
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in lines}
    assert sorted(rows) == LANGS
    assert rows["javascript"] == "JavaScript node has everything"
    assert rows["python"] == "Python - has everything"
    assert rows["rust"] == "Rust rustc lacks rustc: apt install rustc"
    told = arena("new", "fox", "--lang", "rust")
    assert told.code == 0
    assert "    apt install rustc\n" in told.out


def test_a_bot_file_that_is_unusable_is_named(arena: Arena, here: Path) -> None:
    arena("new", "fox")
    for text, why in (
        ("name = ", "bot.toml"),
        ('comand = ["x"]', 'unknown key; did you mean "command"?'),
        ('command = ["x"]\nfolder = "."', "remove folder and id: they follow from"),
        ("command = 3", "command"),
    ):
        (here / "fox/bot.toml").write_text(text)
        called = arena("play", "fox", "duck", "low")
        assert called.code == 2
        assert why in called.err
