"""How tests run: the end of every event loop, the examples of properties, tests that share a process.

Contains nothing that belongs to a single subject.
"""

from __future__ import annotations

import gc
import inspect
import os
import signal
from collections.abc import Awaitable, Callable, Generator, Sequence
from typing import TypeVar

import pytest
import trio
from trio.abc import Clock, Instrument

from arena.linux.alarm import then_be_silent
from tests.examples import register_profiles
from tests.running import end_what_goes_on

T = TypeVar("T")

OF_THE_MACHINE = (
    "there is one core",
    "system calls have other numbers",
    "this kernel does not count it",
    "only root can try what root does",
)
"""Reasons to skip a test that are valid in CI too. What can be installed must be there."""

register_profiles()


def run(work: Callable[[], Awaitable[T]], clock: Clock | None, instruments: Sequence[Instrument]) -> T:
    """Run a test of pytest-trio, and silence the alarm before its event loop ends."""
    return trio.run(then_be_silent, work, clock=clock, instruments=instruments)


# First, since pytest-xdist must not read the groups before they are set here.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if inspect.iscoroutinefunction(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.trio(run=run), append=False)
        if item.get_closest_marker("clocks"):
            item.add_marker(pytest.mark.xdist_group("clocks"))
        # One browser of a kind is enough, and one database server, so their tests run in one process.
        for costly in {"browser", "firefox", "postgres"} & _fixtures(item):
            item.add_marker(pytest.mark.xdist_group(costly))


def _fixtures(item: pytest.Item) -> set[str]:
    """The fixtures of a test, with that for which `either` stands."""
    asked = getattr(getattr(item, "callspec", None), "params", {}).get("either")
    return {*getattr(item, "fixturenames", ()), *([asked] if asked else [])}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to run where the groups do nothing, as with a pytest that is newer than pytest-xdist knows.

    What was collected stays to the end, so the garbage collector need not look at it again and again.
    """
    gc.collect()
    gc.freeze()
    if hasattr(session.config, "workerinput"):
        alone = [item.nodeid for item in session.items if item.get_closest_marker("xdist_group")]
        assert all("@" in nodeid for nodeid in alone), "pytest-xdist does not group tests"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report a skipped test as failed in CI, unless its reason is one of `OF_THE_MACHINE`."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if not reason.endswith(OF_THE_MACHINE):
            report.outcome = "failed"
            report.longrepr = f"in CI nothing may be missing: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, None, None]:
    """End the leagues that a failed test has left running."""
    yield
    end_what_goes_on()


def pytest_sessionstart() -> None:
    """Heed Ctrl-C, and have the runs that are started do so: jobs in the background of a script ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionfinish() -> None:
    """End the leagues that an interrupted test has left running."""
    end_what_goes_on()
