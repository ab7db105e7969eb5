"""A process of the arena's own among strangers: what it sees of this machine, and the network it has."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from arena.linux.installation import same_python
from arena.sandbox.own_process import bare_environment, confinement

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

_LOOK = """
import json, os, socket, sys, arena.cluster.worker
port, *paths = sys.argv[1:]
def reads(path):
    try:
        return open(path).read()
    except OSError as error:
        return error.strerror
try:
    open(os.path.dirname(paths[0]) + "/new", "w")
except OSError:
    pass
with socket.create_connection(("127.0.0.1", int(port)), 5):
    connected = True
pids = [name for name in os.listdir("/proc") if name.isdecimal()]
print(json.dumps({
    "connected": connected, "read": [reads(path) for path in paths], "pids": len(pids),
    "env": sorted(os.environ),
}))
"""


def test_it_sees_what_it_is_shown_and_has_the_network(tmp_path: Path) -> None:
    shown, secret = tmp_path / "shown" / "file", tmp_path / "league.db"
    shown.parent.mkdir()
    shown.write_text("shown")
    secret.write_text("secret")
    words = confinement([shown])
    assert words, "bubblewrap is there, so it must work"
    argv, inherited = same_python("-c", _LOOK)
    environment = bare_environment({**inherited, "PGPASSWORD": "x", "DASK_A": "1", "HOME": "/root"}, "DASK_")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = subprocess.run(
            [*words, *argv, str(port), str(shown), str(secret), str(Path.home() / ".bashrc")],
            capture_output=True, text=True, env=environment, check=False, timeout=60,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["connected"]
    assert found["read"] == ["shown", "No such file or directory", "No such file or directory"]
    assert found["pids"] <= 3, "only its own processes"
    assert not (shown.parent / "new").exists(), "what it writes is its own"
    assert {"PGPASSWORD", "HOME"}.isdisjoint(found["env"])
    assert "DASK_A" in found["env"]


def test_it_sees_the_authorities_of_this_machine_and_no_private_key() -> None:
    words = confinement([])
    argv, inherited = same_python("-c", "import os, ssl; print(*os.listdir('/etc/ssl'))")
    done = subprocess.run(
        [*words, *argv],
        capture_output=True, text=True, env=bare_environment(inherited), check=True, timeout=60,
    )  # fmt: skip
    assert set(done.stdout.split()) <= {"certs", "openssl.cnf"}


def test_without_bubblewrap_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert confinement([]) == ()


def test_where_bubblewrap_does_not_work_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert confinement([]) == ()
