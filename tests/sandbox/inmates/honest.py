"""What honest programs do with locks, processes and devices in one sandbox. Tells as JSON how it went."""

import contextlib
import ctypes
import fcntl
import json
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

DATABASE = "/tmp/rows.db"
ROWS, WRITERS = 20, 3
told = {}


def write(_):
    with contextlib.closing(sqlite3.connect(DATABASE, timeout=30)) as database:
        for _ in range(ROWS):
            with database:
                database.execute("INSERT INTO row VALUES (1)")


def is_free(path, how):
    """Whether another process can lock the file."""
    code = f"import fcntl; fcntl.{how}(open({path!r}, 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL).returncode == 0


if __name__ == "__main__":
    with contextlib.closing(sqlite3.connect(DATABASE)) as database:
        database.execute("CREATE TABLE row (n)")
        database.commit()
        with multiprocessing.Pool(WRITERS) as pool:
            pool.map(write, range(WRITERS))
        told["rows"] = database.execute("SELECT count(*) FROM row").fetchone()[0]
    for how in ("lockf", "flock"):
        with tempfile.NamedTemporaryFile() as file:
            free = is_free(file.name, how)
            getattr(fcntl, how)(file, fcntl.LOCK_EX)
            told[how] = [free, is_free(file.name, how)]
    told["shown"] = is_free(sys.executable, "flock") if os.access(sys.executable, os.W_OK) else "read only"
    told["process"] = subprocess.run(["cat"], stdin=subprocess.DEVNULL, capture_output=True).stdout.decode()
    told["null"] = Path("/dev/null").write_text("nothing")
    with Path("/dev/zero").open("rb") as zero, Path("/dev/urandom").open("rb") as urandom:
        told["devices"] = [zero.read(2) == bytes(2), urandom.read(16) != urandom.read(16)]
    terminal, follower = os.openpty()
    os.write(follower, b"x")
    told["terminal"] = os.read(terminal, 1).decode()
    lock = multiprocessing.Lock()
    with lock:
        told["lock"] = lock.acquire(block=False)
    told["memory"] = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    told["meminfo"] = int(Path("/proc/meminfo").read_text().split()[1]) >> 10
    told["cores"] = os.cpu_count() == Path("/proc/cpuinfo").read_text().count("processor\t:")
    told["advice"] = ctypes.CDLL(None).posix_fadvise(0, 0, 0, 4)
    print(json.dumps(told))
