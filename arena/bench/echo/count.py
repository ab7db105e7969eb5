"""Counts to a million for each line that comes, and says so: what a core gives to who asks nobody else."""

import sys

for _ in sys.stdin:
    for _ in range(1_000_000):
        pass
    print("counted", flush=True)
