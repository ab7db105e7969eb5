"""Count to a million for each line that comes, and say so: the speed of a program that asks nobody else."""

import sys

for _ in sys.stdin:
    for _ in range(1_000_000):
        pass
    print("counted", flush=True)
