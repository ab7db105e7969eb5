"""Leaves processes behind, and notes their ids.

child: one in its group; leaves (at the third decision it starts one that holds standard output, and
exits); setsid: a child in a session of its own; daemon: an orphan in a session of its own; helper: an
orphan in the bot's session; bomb: as many children as it can, 200 at most. All but "leaves" play well."""

import os
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
    return good_answer(question)


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
elif HOW != "leaves":
    breed(new_session=HOW in ("setsid", "daemon"), orphan=HOW in ("daemon", "helper"))
play(decide)
