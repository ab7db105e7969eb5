"""Dies: WHEN is "at_once", "hello", "match_over" or a number of decisions; HOW an exit code or a signal,
"group" (its whole process group) or "mid_line" (in the middle of its answer)."""

import os
import signal
import sys

from speak import good_answer, messages, note, play, raw, say

WHEN, HOW = sys.argv[1:]


def die() -> None:
    note(f"{os.getpid()} dies now")
    if HOW.isdigit():
        os._exit(int(HOW))
    if HOW == "group":
        os.killpg(0, signal.SIGKILL)
    if HOW == "mid_line":
        raw(b"gqR0eXBlo")
        os._exit(0)
    os.kill(os.getpid(), signal.Signals[HOW])


def decide(number: int, question: dict) -> dict:
    if str(number) == WHEN:
        say(good_answer(question))
        die()
    return good_answer(question)


def hear(news: dict) -> None:
    if news["type"] == WHEN:
        die()


if WHEN == "at_once":
    die()
if WHEN == "hello":
    next(messages())
    die()
play(decide, hear)
