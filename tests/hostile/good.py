"""Plays well. With "tell", it first notes what it was started with: folder, environment, descriptors."""

import json
import sys
from pathlib import Path

from speak import note, play

if sys.argv[1:] == ["tell"]:
    given = Path("/proc/self/environ").read_text()  # before Python made anything of it
    environment = dict(entry.split("=", 1) for entry in given.split("\0") if entry)
    # The listing itself has a descriptor, which is gone when it is asked for again.
    descriptors = [int(entry.name) for entry in list(Path("/proc/self/fd").iterdir()) if entry.exists()]
    note(json.dumps({"cwd": str(Path.cwd()), "env": environment, "fds": sorted(descriptors)}))
play()
