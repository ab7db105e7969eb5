"""Too much output: lines, endless, stderr (17 MiB and no answer), stderr_playing (a bit more than 1 MiB
a decision, good answers), much (100 KiB on standard error, which is no fault)."""

import sys

from speak import good_answer, note, play, raw

HOW = sys.argv[1]
MIB = 1 << 20


def decide(number: int, question: dict) -> dict | None:
    if HOW == "stderr_playing":
        note("thinking " * (MIB // 8))
    elif HOW == "much" and number == 3:
        note("BEGIN\n" + "x" * 100 * 1024 + "\nEND")
    elif number == 3:
        while HOW == "lines":
            raw(b"x\n" * 1000)
        while HOW == "endless":
            raw(b"x" * 1000)
        if HOW == "stderr":
            note("!" * 17 * MIB)
            return None
    return good_answer(question)


play(decide)
