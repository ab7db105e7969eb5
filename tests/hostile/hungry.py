"""Plays well and wants more than its share: memory (512 MiB at the third decision), memory_below (in two
children), memory_daemon (in a daemon), shared (300 MiB that four processes have in common), cpu (spins before
each answer), cpu_below (children that spin one after another, whom nobody waits for), daemons (three that
spin), engine (has a child think for each answer), engines (has two). From its first decision on: off_turn
(spins in a thread), off_turn_below (in a child), off_turn_session (in a child with a session of its own),
off_turn_short (in one child after another), burst (for half a second), moves (leaves its core), moves_thread
(a thread of it does). late: spins for 0.4 s before it is ready. When a match is over: between_memory (512 MiB
in a child), between_spin (takes 15 % of a core until the next question)."""

import os
import signal
import sys
import threading
import time

from speak import good_answer, note, play

HOW = sys.argv[1]
MIB = 1 << 20
kept = []


def spin(seconds: float) -> None:
    """Use so much processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def below(work) -> None:
    if os.fork() == 0:
        work()
        os._exit(0)


def daemon(work) -> None:
    """Have an orphan in a session of its own do it."""
    if os.fork() == 0:
        os.setsid()
        below(work)
        os._exit(0)
    os.wait()


def hold(mib: int) -> None:
    kept.append(bytearray(b"x") * (mib * MIB))


def hold_for_long(mib: int) -> None:
    hold(mib)
    time.sleep(60)


def move() -> None:
    os.sched_setaffinity(0, range(os.cpu_count()))


def relay() -> None:
    while True:
        below(lambda: spin(0.4))
        time.sleep(0.4)


def wait_below(seconds: float, children: int = 1) -> None:
    pids = []
    for _ in range(children):
        pids.append(os.fork())
        if pids[-1] == 0:
            spin(seconds)
            os._exit(0)
    for pid in pids:
        os.waitpid(pid, 0)


def below_and_again(seconds: float) -> None:
    while True:
        wait_below(seconds)


def begin() -> None:
    match HOW:
        case "cpu_below":
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            threading.Thread(target=relay, daemon=True).start()
        case "daemons":
            for _ in range(3):
                daemon(lambda: spin(60))
        case "off_turn":
            threading.Thread(target=spin, args=(60,), daemon=True).start()
        case "off_turn_below":
            below(lambda: spin(60))
        case "off_turn_session":
            below(lambda: (os.setsid(), spin(60)))
        case "off_turn_short":
            threading.Thread(target=below_and_again, args=(0.1,), daemon=True).start()
        case "burst":
            spin(0.5)
        case "moves":
            move()
        case "moves_thread":
            threading.Thread(target=lambda: (move(), time.sleep(60)), daemon=True).start()


def spin_now_and_then() -> None:
    while kept:
        spin(0.03)
        time.sleep(0.17)


def hear(news: dict) -> None:
    if news["type"] != "match_over":
        return
    match HOW:
        case "between_memory":
            below(lambda: hold_for_long(512))
        case "between_spin":
            kept.append(b"")
            threading.Thread(target=spin_now_and_then, daemon=True).start()


def decide(number: int, question: dict) -> dict:
    if HOW == "between_spin":
        kept.clear()
    if number == 1:
        begin()
    if HOW == "memory" and 3 <= number <= 10:
        # In parts: a busy machine would not give the time for all of it within one question.
        hold(64)
    if number == 3:
        match HOW:
            case "memory_below":
                for _ in range(2):
                    below(lambda: hold_for_long(256))
            case "memory_daemon":
                daemon(lambda: hold_for_long(512))
            case "shared":
                hold(300)
                for _ in range(3):
                    below(lambda: time.sleep(60))
    if HOW.startswith("memory"):
        time.sleep(0.1)  # that is seen a few times a second
    if HOW == "cpu":
        spin(0.05)  # with a tenth of a core it still has the time; two looks fall into what is too much
    if HOW == "engine":
        wait_below(0.06)
    if HOW == "engines":
        wait_below(0.06, children=2)
    return good_answer(question)


if HOW == "late":
    spin(0.4)
note(f"runs {os.getpid()}")
play(decide, hear)
