"""Leaves processes behind, and notes their ids.

child: one in its group; leaves (at the third decision it starts one that holds standard output, and
exits); setsid: a child in a session of its own; daemon: an orphan in a session of its own; helper: an
orphan in the bot's session; bomb: as many children as it can, 200 at most; hops: a daemon that starts the
next one and ends, 5000 times and fast; deep: 150 daemons, each below the one before; zombies: 30 orphans
that have ended; kills: at the third decision it kills its parent. All but "leaves" and "kills" play well."""

import os
import signal
import sys
import time

from speak import good_answer, note, play

HOW = sys.argv[1]


def breed(new_session: bool, orphan: bool) -> None:
    if os.fork() == 0:
        if new_session:
            os.setsid()
        if orphan and os.fork() != 0:
            os._exit(0)
        note(f"left {os.getpid()}")
        time.sleep(600)
        os._exit(0)
    if orphan:
        os.wait()
    time.sleep(0.05)  # for the note to be written


def decide(number: int, question: dict) -> dict:
    if number == 3 and HOW == "leaves":
        breed(new_session=False, orphan=False)
        os._exit(0)
    if number == 3 and HOW == "kills":
        breed(new_session=True, orphan=True)
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)
    return good_answer(question)


def chain(length: int, stays: bool) -> None:
    """Start a chain of daemons, of which each starts the next one."""
    if os.fork() != 0:
        return
    for _ in range(length):
        if os.fork() != 0:
            if stays:
                time.sleep(600)
            os._exit(0)
        os.setsid()
    time.sleep(600)
    os._exit(0)


def leave_zombies() -> None:
    for _ in range(30):
        if os.fork() == 0:
            if os.fork() == 0:
                time.sleep(0.1)
            os._exit(0)
        os.wait()


def bomb() -> None:
    for _ in range(200):
        try:
            pid = os.fork()
        except OSError as error:
            note(f"refused: {error}")
            return
        if pid == 0:
            time.sleep(600)
            os._exit(0)


if HOW == "bomb":
    bomb()
elif HOW in ("hops", "deep"):
    chain(5000 if HOW == "hops" else 150, stays=HOW == "deep")
elif HOW == "zombies":
    leave_zombies()
elif HOW not in ("leaves", "kills"):
    breed(new_session=HOW in ("setsid", "daemon"), orphan=HOW in ("daemon", "helper"))
play(decide)
