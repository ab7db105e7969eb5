"""Plays well, and tries once what the sandbox must refuse: shadow (reads it), kill_parent, fill (1600 MiB).

Notes "got ..." or "refused: ...". tests/sandbox/inmates/escape.py tries everything else.
"""

import os
import signal
import sys
from pathlib import Path

from speak import good_answer, note, play

HOW = sys.argv[1]


def attempt() -> str:
    match HOW:
        case "shadow":
            return Path("/etc/shadow").read_text()[:20]
        case "kill_parent":
            os.kill(os.getppid(), signal.SIGKILL)
            raise PermissionError("nothing came of it")
    for number in range(200):
        Path("/tmp", f"part{number}").write_bytes(bytes(8 << 20))
    return "1600 MiB"


def decide(number: int, question: dict) -> dict:
    if number == 1:
        try:
            note(f"got {attempt()}")
        except OSError as error:
            note(f"refused: {error}")
    return good_answer(question)


play(decide)
