"""Child processes for tests that must not happen in the test process: killed, starved, without rights."""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable

NOBODY = 65534


def fork(work: Callable[[], object]) -> int:
    """Start a child that does the work and ends; its process id. It exits with 1 if the work raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking is meant, and no thread is needed
        pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid


def outcome(work: Callable[[], object]) -> object:
    """What the work returns, or the text of what it raises, when a child does it."""
    reading, writing = os.pipe()

    def tell() -> None:
        try:
            result = work()
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
        os.write(writing, pickle.dumps(result))

    pid = fork(tell)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    assert os.waitpid(pid, 0)[1] == 0
    return pickle.loads(told)


def without_rights(work: Callable[[], object]) -> object:
    """The outcome for a user who may read everything here and write nothing of root's."""

    def powerless() -> object:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        return work()

    return outcome(powerless)
