"""A PostgreSQL server for the tests: one for each process of the tests, with a new database for whoever asks.

It is Debian's, started as an ordinary user (it refuses root) on a socket in a temporary folder, without TCP.
It ends with the tests. Without it these tests are skipped, but in CI they fail: there it must be.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

ROLE = "arena"
LOCKED = "locked"
"""A role that needs `PASSWORD`; the other one needs none."""
PASSWORD = "hidden-4711"
_ORDINARY = "nobody"
_SETTINGS = (
    "-c", "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=40",
    "-c", "shared_buffers=16MB", "-c", "max_wal_senders=0", "-c", "wal_level=minimal",
)  # fmt: skip
_TLS_FILES = (("cert", "pem"), ("key", "key"))
_NUMBERS = count(1)


def programs() -> Path | None:
    """The folder of initdb and postgres, which Debian keeps out of the way; None if there is none."""
    beside = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return Path(beside).resolve().parent if beside else found[-1].parent if found else None


class Server:
    """A server in a folder of its own. It may be killed and started again. `settings`: more of them."""

    def __init__(self, bin_: Path, folder: Path) -> None:
        self._bin = bin_
        self.folder = folder
        self.settings: dict[str, str] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._as_user: dict[str, object] = {}
        folder.chmod(0o755)
        if os.geteuid() == 0:
            user = pwd.getpwnam(_ORDINARY)
            os.chown(folder, user.pw_uid, user.pw_gid)
            self._as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self._call("initdb", "-D", "data", "-U", ROLE, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        rules = folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all {LOCKED} scram-sha-256\n{rules.read_text()}")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        more = [f"--{name}={value}" for name, value in self.settings.items()]
        arguments = [self._bin / "postgres", "-D", "data", "-k", self.folder, *_SETTINGS, *more]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(word) for word in arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env={"LC_ALL": "C.UTF-8"}, **self._as_user,
            )  # type: ignore[call-overload]  # fmt: skip
        for _ in range(600):
            if self._call("pg_isready", "-h", self.folder, "-U", ROLE, "-d", "postgres", check=False) == 0:
                return
        raise AssertionError((self.folder / "log").read_text())

    def start_with_tls(self) -> str:
        """Start it again on a port of loopback that takes TLS only. Return that port.

        Its certificate, of an authority of its own, is for "localhost": `self.folder / "ca.pem"`.
        """
        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
        for name, more in (
            ("ca", ("-subj", "/CN=tests")),
            ("server", ("-subj", "/CN=localhost", "-CA", "ca.pem", "-CAkey", "ca.key")),
        ):
            files = ("-keyout", f"{name}.key", "-out", f"{name}.pem")
            self._done("openssl", "req", "-x509", *key, *files, *more)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"hostnossl all all all reject\n{rules.read_text()}")
        self.stop()
        files = {f"ssl_{what}_file": str(self.folder / f"server.{end}") for what, end in _TLS_FILES}
        self.settings |= {"listen_addresses": "127.0.0.1", "port": port, "ssl": "on", **files}
        self.start()
        return port

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it with all its processes. SIGINT: in order; SIGQUIT: at once, as when it crashes."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def sql(self, statement: str, database: str = "postgres") -> None:
        """Have one statement executed."""
        self._call("psql", "-h", self.folder, "-U", ROLE, "-d", database, "-qc", statement)

    def database(self) -> str:
        """Make an empty database, which orders texts as people do and not by bytes. Return its address."""
        name = f"league{next(_NUMBERS)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'")
        return self.address(name)

    def address(self, name: str, role: str = ROLE) -> str:
        """The address of a database."""
        return f"postgresql+psycopg://{role}@/{name}?host={self.folder}"

    def _call(self, program: str, *arguments: object, check: bool = True) -> int:
        return self._done(self._bin / program, *arguments, check=check)

    def _done(self, *arguments: object, check: bool = True) -> int:
        words: Sequence[str] = [*map(str, arguments)]
        more = {"PATH": os.defpath, "PGPORT": self.settings.get("port", "5432")}
        done = subprocess.run(
            words, cwd=self.folder, env={"LC_ALL": "C.UTF-8", **more}, capture_output=True, check=False,
            **self._as_user,
        )  # type: ignore[call-overload]  # fmt: skip
        assert done.returncode == 0 or not check, done.stderr.decode()
        return int(done.returncode)


@contextmanager
def server() -> Iterator[Server]:
    """A running server; the test is skipped if there is none on this machine."""
    found = programs()
    if found is None:
        pytest.skip("no PostgreSQL here")
    # A short path: the name of a socket has at most 107 characters.
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as folder:
        own = Server(found, Path(folder))
        try:
            own.start()
            own.sql(f"CREATE ROLE {LOCKED} LOGIN SUPERUSER PASSWORD '{PASSWORD}'")
            yield own
        finally:
            own.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """One server for all tests of a process. Nobody but its own test may kill one."""
    with server() as own:
        yield own
