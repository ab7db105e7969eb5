"""What is shown of the files of a machine, whatever way its programs were installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.sandbox import view
from arena.sandbox.view import (
    Mount,
    MountKind,
    find_program,
    interpreter_paths,
    mounts,
    program_paths,
    seen_path,
)


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine's root whose user lives in home/ada."""
    home = tmp_path / "home" / "ada"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return tmp_path


def test_an_installation_is_shown_whole(place: Path) -> None:
    java = program(place / "opt" / "jdk-21" / "bin" / "java")
    (place / "opt" / "jdk-21" / "lib").mkdir()
    (place / "opt" / "jdk").symlink_to("jdk-21")
    linked = place / "opt" / "jdk" / "bin" / "java"
    assert program_paths(java)[0] == place / "opt" / "jdk-21"
    assert program_paths(linked)[:2] == (place / "opt" / "jdk", place / "opt" / "jdk-21")


def test_a_virtual_environment_is_shown_with_what_it_links_to(place: Path) -> None:
    base = program(place / "pythons" / "3.12" / "bin" / "python3.12")
    (place / "pythons" / "3.12" / "lib").mkdir()
    venv = place / "league" / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "pyvenv.cfg").touch()
    (venv / "bin" / "python3").symlink_to(base)
    (venv / "bin" / "python").symlink_to("python3")
    shown = program_paths(venv / "bin" / "python")
    assert shown[:2] == (venv, place / "pythons" / "3.12")
    assert place / "league" not in shown


def test_a_shim_is_shown_with_its_manager(place: Path) -> None:
    shim = program(place / "home" / "ada" / ".pyenv" / "shims" / "python3")
    assert program_paths(shim)[0] == place / "home" / "ada" / ".pyenv"


@pytest.mark.parametrize("folder", ["home/ada", "home/ada/.local"])
def test_a_program_in_a_home_is_shown_alone(place: Path, folder: str) -> None:
    tool = program(place / folder / "bin" / "tool")
    (place / folder / "lib").mkdir(parents=True)
    assert program_paths(tool) == (tool,)


def test_a_program_is_found_as_the_kernel_would(place: Path) -> None:
    own = program(place / "bot" / "run")
    tool = program(place / "tools" / "tool")
    assert find_program("./run", place / "bot", "") == own
    assert find_program("run", place / "bot", "/nowhere") is None
    assert find_program("tool", place / "bot", f"/nowhere:{place / 'tools'}") == tool
    assert find_program(str(tool), place / "bot", "") == tool


def test_the_interpreter_is_shown_without_what_lies_beside_it() -> None:
    shown = interpreter_paths()
    assert Path(sys.executable) in {path / Path(sys.executable).name for path in shown} | set(shown)
    assert Path(sys.prefix) not in shown
    assert Path(view.arena.__file__ or "").parent in shown
    assert Path(view.arena.__file__ or "").parents[1] not in shown


def test_what_lies_deeper_comes_later(place: Path) -> None:
    league = place / "opt" / "league"
    bots = league / "spring.arena" / "bots"
    bots.mkdir(parents=True)
    (place / "opt" / "secret").touch()
    found = mounts([bots, place / "opt"], [league, place / "opt" / "secret", place / "home"])
    own = [mount for mount in found if mount.path.is_relative_to(place)]
    assert own == [
        Mount(MountKind.SHOW, place / "opt", str(place / "opt")),
        Mount(MountKind.HIDE, league),
        Mount(MountKind.SHOW, place / "opt" / "secret", "/dev/null"),
        Mount(MountKind.SHOW, bots, str(bots)),
    ]


def test_the_path_names_only_what_is_shown() -> None:
    shown = [Mount(MountKind.SHOW, Path("/usr"), "/usr"), Mount(MountKind.LINK, Path("/bin"), "usr/bin")]
    assert seen_path("/root/bin:/usr/local/bin:.::/bin:/usr/bin", shown) == "/usr/local/bin:/bin:/usr/bin"


def test_a_program_of_rustup_is_that_of_its_toolchain(place: Path) -> None:
    rustup = program(place / "cargo" / "bin" / "rustup")
    rustup.write_text('#!/bin/sh\n[ "$1" = which ] && [ "$2" = rustc ] && echo /toolchain/bin/$2\n')
    for name in ("rustc", "rustdoc"):
        rustup.with_name(name).symlink_to("rustup")
    path = str(rustup.parent)
    assert find_program("rustc", place, path) == Path("/toolchain/bin/rustc")
    assert find_program("rustup", place, path) == rustup
    assert find_program("rustdoc", place, path) == rustup.with_name("rustdoc")
