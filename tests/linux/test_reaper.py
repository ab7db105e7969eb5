"""A tree of processes is ended to the last one, in a process of its own: a test must not adopt strangers."""

from __future__ import annotations

import pytest

from tests.linux.families import run


@pytest.mark.parametrize("new_session", [True, False])
def test_an_orphan_is_adopted_and_ended(new_session: bool) -> None:
    run(f"""
        set_subreaper(True)
        child, (stray,) = fork(lambda writing: orphan(writing, {new_session}))
        os.waitpid(child, 0)
        soon(lambda: stray in children())
        assert kill_children()
        assert children() == [] and not runs(stray)
    """)


def test_a_family_is_ended_to_the_last_generation() -> None:
    run("""
        set_subreaper(True)

        def family(writing):
            for _ in range(5):
                if os.fork() != 0:
                    time.sleep(60)
                os.setsid()
            os.write(writing, b"%d " % os.getpid())

        _, (youngest,) = fork(family)
        assert kill_children()
        assert children() == [] and not runs(youngest)
        assert kill_children(), "there is nobody"
    """)


def test_who_starts_others_without_end_is_caught() -> None:
    run("""
        set_subreaper(True)

        def hop(writing):
            os.write(writing, b"1 ")
            while True:  # each ends when it has started the next
                if os.fork() != 0:
                    os._exit(0)
                with contextlib.suppress(OSError):
                    os.setsid()

        fork(hop)
        assert kill_children(20)
        assert children() == []
    """)
