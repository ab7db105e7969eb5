"""Too slow, each in its own way: start, once SECONDS, always SECONDS, silent, deaf, no_newline."""

import sys
import time

from speak import good_answer, messages, play, raw, say

HOW = sys.argv[1]
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0


def decide(number: int, question: dict) -> dict | None:
    if HOW == "silent":
        return None
    if HOW == "no_newline":
        raw(b"gqR0eXBlo")
        return None
    if HOW == "always" or number == 3:
        time.sleep(SECONDS)
    return good_answer(question)


if HOW == "start":
    time.sleep(600)
if HOW == "deaf":
    hello = next(messages())
    say({"type": "ready", "id": hello["id"], "name": "Deaf", "version": "1"})
    time.sleep(600)
play(decide)
