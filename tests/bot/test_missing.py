"""What a bot's command would miss, told without starting it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.bot.missing import what_is_missing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text, mode in (
        ("bot.py", "print()\n", 0o644),
        ("bot", "\x7fELF", 0o755),
        ("lock", "\x7fELF", 0o644),
        ("script", "#!/bin/sh\n", 0o755),
        ("strange", "#!/opt/none/lisp -x\n", 0o755),
        ("env", "#!/usr/bin/env none-such\n", 0o755),
        ("env-sh", "#!/usr/bin/env sh\n", 0o755),
    ):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(mode)
    return tmp_path


@pytest.mark.parametrize(
    ("argv", "build"),
    [
        (["{python}", "bot.py"], []),
        (["{python}", "-X", "dev", "bot.py", "--level", "3"], []),
        (["{python}", "-m", "bot"], []),
        (["./bot"], []),
        (["./script"], []),
        (["./env-sh"], []),
        (["sh", "-c", "exec ./bot"], []),
        (["sh", "-c", "exec python3 none.py"], []),
        (["sh", "-e", "-c", "none.py"], []),
        (["sh", "-ec", "python3 -u none.py"], []),
        (["sh", "-cp", "none.jar:more.jar", "Main"], []),
        (["/bin/sh"], []),
        (["./made"], ["sh", "-c", "cp bot made"]),
        (["{python}", "made.py"], ["{python}", "bot.py"]),
    ],
)
def test_nothing_is_missing(folder: Path, argv: list[str], build: list[str]) -> None:
    assert what_is_missing(BotCommand("duck", tuple(argv), str(folder), build=tuple(build))) is None


@pytest.mark.parametrize(
    ("argv", "build", "said"),
    [
        (["{python}", "bto.py"], [], "there is no file bto.py in {folder}"),
        (["sh", "./run.sh"], [], "there is no file ./run.sh in {folder}"),
        (["{python}", "/none/bot.py"], [], "there is no file /none/bot.py"),
        (["none-such", "bot.py"], [], "there is no program none-such on this machine"),
        (["./none"], [], "there is no program ./none in {folder}"),
        (["/none/such"], [], "there is no program /none/such"),
        (["./lock"], [], "./lock is not executable: chmod +x {folder}/lock"),
        (["./strange"], [], "./strange needs /opt/none/lisp, which is not on this machine"),
        (["./env"], [], "./env needs none-such, which is not on this machine"),
        (["./made"], ["none-such"], "it cannot be built: there is no program none-such on this machine"),
        (["./made"], ["sh", "make.sh"], "it cannot be built: there is no file make.sh in {folder}"),
        (
            ["./made"],
            ["./lock"],
            "it cannot be built: ./lock is not executable: chmod +x {folder}/lock",
        ),
        (["none-such", "made.js"], ["sh", "-c", "true"], "there is no program none-such on this machine"),
    ],
)
def test_what_is_missing_is_named(folder: Path, argv: list[str], build: list[str], said: str) -> None:
    command = BotCommand("duck", tuple(argv), str(folder), build=tuple(build))
    assert what_is_missing(command) == said.format(folder=folder)


def test_what_cannot_be_looked_at_is_named(folder: Path) -> None:
    name = "./" + "x" * 300
    said = what_is_missing(BotCommand("duck", (name,), str(folder)))
    assert said == f"{folder}/{'x' * 300} cannot be looked at: File name too long"
