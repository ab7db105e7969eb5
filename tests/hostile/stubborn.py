"""Will not go: sits (ignores SIGTERM, bye and the end of its input), stopped (SIGSTOP at the third
decision), closed (closes standard output, lives on), closed_input
(closes standard input, lives on)."""

import os
import signal
import sys
import time

from speak import good_answer, play

HOW = sys.argv[1]


def decide(number: int, question: dict) -> dict:
    if number == 3 and HOW == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    if number == 3 and HOW == "closed":
        os.close(1)
        time.sleep(600)
    if number == 3 and HOW == "closed_input":
        os.close(0)
        time.sleep(600)
    return good_answer(question)


signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
play(decide)
while HOW == "sits":
    time.sleep(600)
