"""Computes without end instead of answering: `question` THREADS, or `start` without ever getting ready."""

import hashlib
import sys
import threading

from speak import play

WHEN, THREADS = sys.argv[1], int(sys.argv[2])


def compute() -> None:
    while True:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 100_000)  # other threads run meanwhile


def decide(number: int, question: dict) -> None:
    for _ in range(THREADS):
        threading.Thread(target=compute, daemon=True).start()


if WHEN == "start":
    compute()
play(decide)
