"""A second Python runs the arena that this one runs, not one that happens to lie in the current folder."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import arena
from arena.linux.same_code import same_python


@pytest.mark.parametrize("how", ["-m", "-c"])
def test_the_current_folder_is_not_looked_at(tmp_path: Path, how: str) -> None:
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "__init__.py").write_text("raise SystemExit('another arena')")
    asked = {"-m": ["arena", "--version"], "-c": ["import arena; print(arena.__file__)"]}[how]
    argv, environment = same_python(how, *asked)
    done = subprocess.run(argv, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert how == "-m" or Path(done.stdout.strip()) == Path(arena.__file__)


def test_what_was_in_the_path_of_modules_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "own.py").write_text("")
    argv, environment = same_python("-c", "import arena, own")
    subprocess.run(argv, env=environment, check=True)
