"""What is stray and what is spared, in a process of its own: a test must not adopt strangers."""

from __future__ import annotations

from tests.linux.families import run


def test_strays_are_those_that_nobody_started_outside_the_sessions_of_those_that_somebody_did() -> None:
    run("""
        become_subreaper()

        def bot(writing):
            os.setsid()
            for new_session in (True, False):
                if os.fork() == 0:
                    orphan(writing, new_session)
                os.wait()

        started, pids = fork(bot, 2)
        mine(started)
        own_session = [pid for pid in pids if os.getsid(pid) == started]
        stray = [pid for pid in pids if pid not in own_session]
        assert len(own_session) == len(stray) == 1
        soon(lambda: kill_strays() == 0)
        assert not runs(stray[0]) and runs(own_session[0]) and runs(started)
        os.kill(started, signal.SIGKILL)
        os.waitpid(started, 0)
        not_mine(started)
        soon(lambda: kill_strays() == 0)
        assert children() == [] and not runs(own_session[0])
    """)


def test_a_process_that_adopts_nobody_has_no_strays() -> None:
    run("""
        other = subprocess.Popen(["sleep", "60"])
        assert kill_strays() == 0 and runs(other.pid)
        other.kill()
        other.wait()
    """)


def test_a_coordinator_adopts_orphans_and_spares_whom_it_found() -> None:
    run("""
        before = subprocess.Popen(["sleep", "60"], start_new_session=True)
        with adopting_orphans():
            _, (helper,) = fork(lambda writing: orphan(writing, False))
            _, (stray,) = fork(lambda writing: orphan(writing, True))
            soon(lambda: stray in children())
            assert kill_strays() == 1
            soon(lambda: not runs(stray))
            assert runs(before.pid) and runs(helper), "our own session is not a bot's"
            _, (late,) = fork(lambda writing: orphan(writing, True))
            soon(lambda: late in children())
        assert not runs(late)
        assert kill_strays() == 0, "it adopts nobody any more"
        assert runs(before.pid) and runs(helper)
        kill_children()
    """)
