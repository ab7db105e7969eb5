"""The command `arena`: quick answers, hints, completion, help."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from arena.cli.layout import TERMINAL
from arena.cli.program import COMMANDS, GROUPS
from arena.cli.program import arena as program
from tests.cli.calling import Arena
from tests.tables import DEAF

HEAVY = ("trio", "msgpack", "sqlmodel", "sqlalchemy", "pydantic", "jinja2", "reports", "arena.store")

PROBE = f"""
import sys
from arena.__main__ import main
sys.argv = ["arena", *sys.argv[1:]]
try:
    main()
finally:
    found = [name for name in {HEAVY!r} if name in sys.modules]
    print("heavy:", *found, file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["run", "-h"], ["verify", "--help"]])
def test_answers_about_itself_import_click_only(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr == "heavy:\n"


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_answers_about_the_whole_import_no_command(argument: str) -> None:
    """Each of these takes as long to import as a quarter of click, or they are many."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "arena", argument],
        capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not loaded & {"importlib.metadata", "tempfile", "traceback", "difflib", "json", "dataclasses"}
    ours = {name for name in loaded if name.startswith("arena.")}
    assert ours <= {"arena.cli"} | {f"arena.cli.{name}" for name in ("exits", "options", "program")} | {
        "arena.errors"
    }


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_the_help_says_in_a_line_what_each_command_does_by_who_uses_it(option: str, arena: Arena) -> None:
    text = arena(option).out
    assert all(len(line) <= 80 for line in text.splitlines() if line.startswith("  ") and "Exit" not in line)
    for title, group in GROUPS.items():
        if title:
            lines = text.partition(f"{title}:\n")[2].partition("\n\n")[0].splitlines()
            assert [line.split() for line in lines] == [
                [name, *of.summary.split()] for name, of in group.items()
            ]
    assert "referee" not in text.partition("Commands for organisers")[2]


def test_a_misspelt_command_is_answered_with_the_nearest(arena: Arena) -> None:
    called = arena("standigns")
    assert called.code == 2
    assert "No such command 'standigns'. Did you mean 'standings'?" in called.err
    assert called.out == ""


def test_a_misspelt_option_is_answered_with_the_nearest(arena: Arena) -> None:
    called = arena("status", "spring.db", "--jsn")
    assert called.code == 2
    assert "--json" in called.err


def test_no_command_at_all_shows_the_help(arena: Arena) -> None:
    called = arena()
    assert called.code == 2
    assert "Commands for organisers:" in called.err


README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in GROUPS[""]])
def test_every_command_and_option_has_a_help_that_fits_and_two_examples(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # however wide the terminal is: a help is read as text
    context = click.Context(program, None, "arena", **program.context_settings)
    command = program.get_command(context, name)
    assert command is not None
    assert command.help
    options = [param for param in command.params if isinstance(param, click.Option)]
    assert [option.name for option in options if not option.help and not option.hidden] == []
    text = command.get_help(click.Context(command, context, name, **command.context_settings))
    assert [line for line in text.splitlines() if len(line) > TERMINAL] == []
    shown = text.partition("Examples:")[2].strip().splitlines()
    assert len(shown) >= 2
    assert all(line.split()[:2] == ["arena", name] for line in shown)
    assert f"`arena {name}" in README, "its table of commands names every command"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("arena sta", ["plain,status", "plain,standings"]),
        ("arena play random du", ["file,du", "plain,duck", "plain,dump"]),
        ("arena replay league.toml 12 --bot sh", ["file,sh", "plain,sharp"]),
    ],
)
def test_the_shell_completes_commands_and_files_and_samples_where_a_bot_is_wanted(
    typed: str, words: list[str]
) -> None:
    _, *before, begun = typed.split(" ")
    shell = ShellComplete(program, {}, "arena", "_ARENA_COMPLETE")
    found = [f"{item.type},{item.value}" for item in shell.get_completions(before, begun)]
    assert found == words


def test_a_referee_whose_coordinator_is_gone_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena", "referee"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout == b""


@pytest.mark.slow
def test_bots_can_be_waited_for_although_the_caller_ignores_the_ends_of_children() -> None:
    argv = [*DEAF, sys.executable, "-m", "arena", "play", "random", "duck", "low", "--rounds", "1"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
