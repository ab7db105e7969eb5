"""The other end of a ping-pong: answer each line with a line of a given size, as plainly as Python can."""

from __future__ import annotations

import os
import sys

ANSWER = b"a" * (int(sys.argv[1]) - 1) + b"\n"

while line := os.read(0, 65536):
    while not line.endswith(b"\n"):
        line = os.read(0, 65536)
    os.write(1, ANSWER)
