"""Families of processes: who belongs to a bot, what it used, how it is stopped and goes on."""

from __future__ import annotations

import os

import pytest

from arena.linux import process_tree
from arena.linux.process_tree import MOST_BELOW, Member, below
from tests.linux.families import run

_PRELUDE = """
from arena.linux.cpu_ledger import CpuLedger

set_subreaper(True)

def spin(seconds):
    while time.thread_time() < seconds:
        pass

def family(work):
    "Start a family with a session of its own; the id of its first process, once that tells to go on."
    def first(writing):
        os.setsid()
        work(lambda: os.write(writing, b"0 "))
    return fork(first)[0]

def pids(root):
    return {member.pid for member in tree(root)}
"""


def _run(script: str) -> None:
    run(script, _PRELUDE, "kill_children()")


def test_orphans_stay_below_a_process_that_adopts_them_whatever_their_session() -> None:
    _run("""
        def bot(tell):
            set_subreaper(True)
            if os.fork() == 0:  # a child with a session of its own, and a child of that
                os.setsid()
                os.fork()
                time.sleep(60)
            for leave in (lambda: None, os.setsid):
                if os.fork() == 0:
                    if os.fork() == 0:
                        leave()
                        time.sleep(60)
                    os._exit(0)
                os.wait()
            tell()

        root = family(bot)
        assert children() == [root]
        soon(lambda: len(pids(root)) == 5)
        assert {member.pid for member in below(root)} == pids(root) - {root}
        soon(lambda: {os.getsid(pid) == root for pid in children(root)} == {True, False})
    """)


@pytest.mark.parametrize("shape", ["crowd", "chain"])
def test_of_more_processes_than_can_be_looked_at_the_list_has_an_end(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's answers are made up: one process has all the others, or each has the next."""
    looked_at: list[int] = []

    def look_up(pid: int) -> Member:
        looked_at.append(pid)
        return Member(pid, 0, 1, 0, 0, 0)

    def children(pid: int) -> list[int]:
        if shape == "chain":
            return [pid + 1]
        return list(range(2, count + 2)) if pid == 1 else []

    monkeypatch.setattr(process_tree, "look_up", look_up)
    monkeypatch.setattr(process_tree, "children", children)
    count = 3 * MOST_BELOW
    found = [member.pid for member in below(1)]
    assert len(found) == len(set(found)) == MOST_BELOW
    assert len(looked_at) == MOST_BELOW + 1, "nor is there a look at any more"
    count = MOST_BELOW - 1
    assert shape == "chain" or {member.pid for member in below(1)} == set(range(2, count + 2))


def test_nobody_is_taken_for_an_earlier_process() -> None:
    _run("""
        root = family(lambda tell: tell())
        before = look_up(root)
        assert before.session == root and before.resident > 1 << 20
        assert signal_member(before, signal.SIGKILL)
        os.waitpid(root, 0)
        assert look_up(root) is None and tree(root) == []
        assert not signal_member(before, signal.SIGKILL)
        other = look_up(os.getpid())
        from dataclasses import replace
        assert not signal_member(replace(other, started=other.started + 1), signal.SIGKILL)
    """)


def test_time_is_counted_once_whoever_ends_and_whoever_waits() -> None:
    _run("""
        told, tells = os.pipe()
        may_end, ends = os.pipe()

        def first(writing):
            for waits in (True, False):
                signal.signal(signal.SIGCHLD, signal.SIG_DFL if waits else signal.SIG_IGN)
                child = os.fork()
                if child == 0:
                    spin(0.3)
                    os.write(tells, b"x")
                    os.read(may_end, 1)  # it has been looked at
                    os._exit(0)
                if waits:
                    os.waitpid(child, 0)
                soon(lambda: not os.path.exists(f"/proc/{child}"))
            os.write(tells, b"x")

        ledger = CpuLedger()
        root, _ = fork(first, 0)
        grown = 0
        for _ in range(3):
            assert os.read(told, 1)
            ledger.enter(tree(root))
            assert ledger.now_us() >= grown - 50_000
            grown = ledger.now_us()
            os.write(ends, b"x")
        assert 550_000 < ledger.now_us() < 800_000, ledger.now_us()
    """)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="system calls have other numbers")
def test_memory_counts_when_the_first_thread_has_ended() -> None:
    _run("""
        import ctypes, threading

        def bot(tell):
            held = bytearray(os.urandom(1) * (50 << 20))
            threading.Thread(target=lambda: (tell(), time.sleep(60))).start()
            ctypes.CDLL(None).syscall(60, 0)  # exit, of this thread alone

        root = family(bot)
        soon(lambda: state(root) == "Z")
        (member,) = tree(root)
        assert member.resident > 50 << 20, member
    """)


def test_who_has_not_run_is_at_rest_until_it_begins_another() -> None:
    _run("""
        def bot(tell):
            signal.signal(signal.SIGUSR1, lambda *_: None)
            tell()
            signal.pause()
            if os.fork() == 0:
                time.sleep(60)
            signal.pause()

        def entered_at_rest():
            ledger.enter(tree(root))
            return ledger.at_rest()

        root = family(bot)
        ledger = CpuLedger()
        assert not ledger.at_rest(), "it knows nobody"
        soon(lambda: state(root) == "S")
        assert len(tree(root)) == 1
        assert not entered_at_rest(), "it may have begun another since it was listed"
        assert entered_at_rest()
        time.sleep(0.2)
        assert ledger.at_rest()
        os.kill(root, signal.SIGUSR1)
        soon(lambda: not ledger.at_rest())
        soon(lambda: len(tree(root)) == 2)
        soon(entered_at_rest)
        _, child = (member.pid for member in tree(root))
        os.kill(child, signal.SIGKILL)
        soon(lambda: not ledger.at_rest())
    """)
