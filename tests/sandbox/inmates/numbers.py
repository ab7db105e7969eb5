"""Tells the files of /proc that it can read and that hold a digit; of those of processes, its own by name."""

# ruff: noqa: PTH118, PTH123 - plain calls, one each

import json
import os

OWN = f"/proc/{os.getpid()}"
LINKS = {"cwd", "root", "fd", "fdinfo", "map_files", "task", "ns"}

found = {}
for top in ("/proc", OWN):
    for folder, folders, files in os.walk(top):
        # One process is as another, and links lead to what belongs to a process.
        folders[:] = [name for name in folders if not name.isdecimal() and name not in LINKS]
        for name in files:
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    data = file.read(1 << 16)
            except OSError:
                continue
            if any(byte in b"0123456789" for byte in data):
                found[path.replace(OWN, "/proc/self")] = "" if path.startswith(OWN) else data.decode()
print(json.dumps(found))
