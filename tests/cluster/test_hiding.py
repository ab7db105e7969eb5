"""What a worker finds of its engine's keys and folders: in settings, variables, and commands above it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cluster.hiding import to_hide
from tests.referees import PATIENCE

ROOT = Path(__file__).parents[2]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a key, a certificate, and a link to the key."""
    for name in ("worker.key", "worker.pem", "ca.pem"):
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to("worker.key")
    return tmp_path


def found_by(*arguments: str, cwd: Path, before: tuple[str, ...] = (), **environment: str) -> list[str]:
    """What a process finds that was started with these arguments, `before` by other commands."""
    body = "import json; from arena.cluster.hiding import to_hide; print(json.dumps(to_hide()))"
    command = [sys.executable, "-c", body, *arguments]
    done = subprocess.run(
        [*before, *command] if before else command,
        env={"PATH": os.environ["PATH"], "HOME": str(cwd), "PYTHONPATH": str(ROOT), **environment},
        cwd=cwd,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=True,
    )
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def test_options_of_the_command_are_found_also_relative_ones(files: Path) -> None:
    found = found_by("--tls-key", "worker.key", "--tls-cert=worker.pem", "--name", "ca.pem", cwd=files)
    assert found == [str(files / "worker.key"), str(files / "worker.pem")]


def test_so_are_those_of_a_command_above_it(files: Path) -> None:
    """A worker is a child of its nanny, and only that has the options."""
    (files / "nanny").mkdir()
    above = (sys.executable, "-c", "import subprocess, sys; sys.exit(subprocess.call(sys.argv[3:]))")
    found = found_by(cwd=files, before=(*above, "--tls-key", str(files / "worker.key")))
    assert found == [str(files / "worker.key")]


def test_variables_and_the_folder_of_settings_are_found(files: Path) -> None:
    (files / ".config" / "dask").mkdir(parents=True)
    variables = {
        "DASK_DISTRIBUTED__COMM__TLS__WORKER__KEY": str(files / "link"),
        "DASK_DISTRIBUTED__COMM__TLS__CA_FILE": "/no/such/file",
        "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY": "-----BEGIN PRIVATE KEY-----\nabc",
    }
    found = found_by(cwd=files, **variables)
    # Both where a link is and where it leads.
    assert found == [str(files / "link"), str(files / "worker.key"), str(files / ".config" / "dask")]


def test_settings_are_found_wherever_they_come_from(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Settings:
        paths = [str(files / "etc")]  # noqa: RUF012

        @staticmethod
        def get(key: str, default: object) -> Any:
            assert key == "distributed.comm.tls"
            worker = {"key": str(files / "worker.key"), "cert": None}
            return {"ca-file": str(files / "ca.pem"), "ciphers": None, "worker": worker}

    (files / "etc").mkdir()
    monkeypatch.setitem(sys.modules, "dask.config", Settings)
    found = to_hide()
    assert {str(files / name) for name in ("worker.key", "ca.pem", "etc")} <= set(found)
