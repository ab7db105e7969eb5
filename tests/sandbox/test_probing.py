"""Finding out whether a sandbox works here: with the real bubblewrap, and with ones that fail or lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.sandbox import Failure, Level, Limits, Sandbox, probe
from tests.sandbox.start import strongest
from tests.sandbox.starting import needs_sandbox, weak_bubblewrap


@pytest.fixture
def bwrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bubblewrap that tests write."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path / "bwrap"


def writes(path: Path, lines: str) -> None:
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)


def test_the_real_one_works() -> None:
    needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    found = probe(Limits(), hidden=(str(Path(__file__).parent),))
    assert isinstance(found, Sandbox)
    assert (found.user is not None) == (os.geteuid() == 0)
    assert found.hidden == (str(Path(__file__).parent),)
    assert (found.level.value, found.weaker, found.warning) == (strongest(), "", "")


def test_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    found = probe(Limits())
    assert isinstance(found, Failure)
    assert found.cause == "bubblewrap is not installed"
    assert "apt install bubblewrap" in found.cure


@pytest.mark.parametrize("release", ["5.10.0-33-amd64", "4.18.0", "5.4"])
def test_a_kernel_that_counts_all_bots_together(release: str, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    monkeypatch.setattr("platform.release", lambda: release)
    found = probe(Limits())
    assert isinstance(found, Failure)
    assert release in found.cause
    assert found.cure == "use Linux 5.14 or newer"


def test_one_that_keeps_nothing(bwrap: Path) -> None:
    """It only pretends: the check runs beside us, and finds that it can do everything."""
    to_the_end = 'while [ "$1" != -- ]; do shift; done; shift'
    writes(bwrap, f'{to_the_end}; {to_the_end}; shift; cd /tmp && exec "$@" <&3 >&4')
    found = probe(Limits())
    assert isinstance(found, Failure)
    assert found.cause == "the sandbox does not keep what it should"
    assert "it sees processes of others" in found.said


def test_where_nothing_can_be_made_its_own(bwrap: Path) -> None:
    """A right to mount or to make devices is missing, as in some containers."""
    needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    weak_bubblewrap(bwrap)
    found = probe(Limits())
    assert isinstance(found, Sandbox)
    assert found.level is Level.SHARED
    assert found.weaker.startswith("the sandbox cannot be closed: ")
    assert found.weaker in found.warning


def test_a_path_to_show_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="read_only: /opt/nonesuch: there is no such file or folder"):
        probe(Limits(), read_only=("/opt/nonesuch",))
