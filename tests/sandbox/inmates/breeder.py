"""Begets processes that stay, until it may not, and says how many; then waits for the end of its input."""

import os
import signal
import sys

born = 0
try:
    while born < 1000:
        if os.fork() == 0:
            signal.pause()
        born += 1
except BlockingIOError:
    pass
print(born, flush=True)
sys.stdin.read()
