"""How commands end: codes, texts, tracebacks kept off the terminal."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from enum import Enum
from pathlib import Path

import click
import pytest
from pydantic_core import SchemaError, SchemaValidator, core_schema

from arena.cli.exits import READER_GONE, guarded, stopping_in_order
from arena.errors import BotsBroken, Interrupted, LeagueFileError, StoreError


@pytest.fixture(autouse=True)
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tracebacks go meanwhile."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def raising(error: BaseException) -> Callable[[], object]:
    def program(*_: object) -> object:
        raise error

    return program


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (LeagueFileError("league.toml:3: [league] seats: 9"), 2),
        (BotsBroken("Duck does not start"), 2),
        (StoreError("spring.db is gone"), 4),
        (BaseExceptionGroup("tasks", [BaseExceptionGroup("tasks", [StoreError("spring.db is gone")])]), 4),
    ],
)
def test_an_arena_error_is_its_text_and_its_code(
    error: BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(raising(error)) == code
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    written = capsys.readouterr()
    assert written.err == f"Error: {error}\n"
    assert written.out == ""


def while_a_class_is_made() -> RuntimeError:
    """What Python before 3.12 makes of Ctrl-C there."""
    error = RuntimeError("Error calling __set_name__ on 'Field' instance 'parts' in '_Sums'")
    error.__cause__ = KeyboardInterrupt()
    return error


def while_a_validator_is_built() -> Exception:
    """What pydantic makes of Ctrl-C there."""
    pressing = type("Member", (), {"value": property(raising(KeyboardInterrupt()))})()
    with pytest.raises(SchemaError) as found:
        SchemaValidator(core_schema.nullable_schema(core_schema.enum_schema(Enum, [pressing])))
    return found.value


@pytest.mark.parametrize("disguised", [while_a_class_is_made, while_a_validator_is_built])
def test_who_interrupts_what_hides_it_is_told_how_to_resume(disguised: Callable[[], Exception]) -> None:
    with pytest.raises(Interrupted, match="to resume: arena run"), stopping_in_order("arena run"):
        raise disguised()
    with pytest.raises(RuntimeError, match="else"), stopping_in_order("arena run"):
        raise RuntimeError("something else")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (BaseExceptionGroup("tasks", [KeyboardInterrupt()]), 130),
        (while_a_class_is_made(), 130),
        (while_a_validator_is_built(), 130),
        (SystemExit(3), 3),
        (SystemExit(None), 0),
    ],
)
def test_what_needs_no_text_has_none(
    error: BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(raising(error)) == code
    assert capsys.readouterr().err == ""


def test_a_mistake_of_ours_leaves_its_traceback_in_a_file(
    capsys: pytest.CaptureFixture[str], temporary_folder: Path
) -> None:
    assert guarded(raising(ZeroDivisionError("one\nby nought"))) == 4
    said = capsys.readouterr().err
    first, second = said.splitlines()
    assert first == "Error: internal error: ZeroDivisionError: one by nought"
    (file,) = temporary_folder.iterdir()
    assert second.endswith(str(file))
    written = file.read_text()
    assert "Traceback (most recent call last)" in written
    assert "in program" in written


def test_a_full_disk_is_no_mistake_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))) == 4
    told = capsys.readouterr().err
    assert "the disk is full" in told
    assert "internal error" not in told


def test_a_reader_that_goes_away_hears_nothing() -> None:
    """As `arena check | head -1`: the pipe is closed before anything is written."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "check"],
        env={**os.environ, "PATH": "/nowhere"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.communicate(timeout=90)[1] == ""
    assert process.returncode == READER_GONE


def test_a_pipe_of_our_own_that_breaks_is_a_mistake_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(BrokenPipeError(32, "Broken pipe"))) == 4
    assert "internal error: BrokenPipeError" in capsys.readouterr().err


def test_colours_only_where_they_are_wanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda stream, color: color is False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    guarded(raising(StoreError("gone")))
    assert re.search(r"\x1b\[[0-9;]*m", capsys.readouterr().err)
    monkeypatch.setenv("NO_COLOR", "1")
    guarded(raising(StoreError("gone")))
    assert "\x1b" not in capsys.readouterr().err
