"""Work is shared among processes: every part is done once, and what a helper fails at is done again here."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from arena.linux.process_tree import children
from reports.cores import LEAST, shared
from reports.writing import SiteFolder

PARTS = range(LEAST * 5 + 1)


pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
"""Of Python 3.12: a fork beside other threads. Those of the tests themselves do nothing here."""


@pytest.fixture(autouse=True)
def three_cores_and_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have three cores, and only the threads that a test begins."""
    found = threading.enumerate
    before = {thread for thread in found() if thread is not threading.main_thread()}
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    monkeypatch.setattr(threading, "enumerate", lambda: [one for one in found() if one not in before])


@pytest.fixture(autouse=True)
def no_helper_is_left() -> Iterator[None]:
    """Look for processes that were not there before the test: those of other tests may be."""
    before = set(children(os.getpid()))
    yield
    assert set(children(os.getpid())) <= before


class Notes:
    """Accounts of batches: the processes that did them."""

    def __init__(self) -> None:
        self.done: list[tuple[int, int]] = []
        self.frozen = 0

    def noted(self) -> list[tuple[int, int]]:
        return list(self.done)

    def add(self, other: list[tuple[int, int]], since: list[tuple[int, int]]) -> None:
        self.done += other[len(since) :]

    def put(self, parts: Sequence[int]) -> None:
        self.frozen = gc.get_freeze_count()
        self.done += [(part, os.getpid()) for part in parts]


def test_every_part_is_done_once_by_whoever_is_free(tmp_path: Path) -> None:
    here, notes = os.getpid(), Notes()

    def work(parts: Sequence[int]) -> None:
        if os.getpid() != here:
            (tmp_path / f"{parts[0]}").touch()
        notes.put(parts)

    def meanwhile() -> None:
        while not any(tmp_path.iterdir()):
            os.sched_yield()

    shared(PARTS, work, notes, meanwhile)
    assert sorted(part for part, _ in notes.done) == list(PARTS)
    begun = {int(file.name) for file in tmp_path.iterdir()}
    assert begun == {part for part, process in notes.done if process != here and part % (LEAST // 4) == 0}


def test_what_a_helper_fails_at_is_done_again_here(tmp_path: Path) -> None:
    here, notes = os.getpid(), Notes()

    def work(parts: Sequence[int]) -> None:
        if os.getpid() != here:
            (tmp_path / f"{parts[0]}").touch()
            if parts[0] % 16:
                raise ValueError("a helper says nothing of it")
            os._exit(1)  # and another is killed
        notes.put(parts)

    def meanwhile() -> None:
        while not any(tmp_path.iterdir()):
            os.sched_yield()

    shared(PARTS, work, notes, meanwhile)
    assert notes.done == [(part, here) for part in sorted(PARTS, key=lambda part: _late(part, tmp_path))]


def _late(part: int, failed: Path) -> bool:
    """Return whether the batch of a part was begun by a helper: then it is done here after all others."""
    return (failed / f"{part - part % (LEAST // 4)}").exists()


def test_an_error_is_raised_here_and_memory_is_collected_again() -> None:
    def work(parts: Sequence[int]) -> None:
        assert gc.get_freeze_count()
        raise ValueError(f"part {parts[0]} is damaged")

    with pytest.raises(ValueError, match="is damaged"):
        shared(PARTS, work, Notes())
    assert not gc.get_freeze_count()


def test_few_parts_are_not_shared_nor_are_any_beside_another_thread() -> None:
    here = os.getpid()
    few = Notes()
    shared(range(LEAST - 1), few.put, few)
    end = threading.Event()
    other = threading.Thread(target=end.wait)
    other.start()
    try:
        beside = Notes()
        shared(PARTS, beside.put, beside)
    finally:
        end.set()
        other.join()
    elsewhere = Notes()
    thread = threading.Thread(target=shared, args=(PARTS, elsewhere.put, elsewhere))
    thread.start()
    thread.join()
    for notes, parts in ((few, range(LEAST - 1)), (beside, PARTS), (elsewhere, PARTS)):
        assert notes.done == [(part, here) for part in parts]
    assert [notes.frozen > 0 for notes in (few, beside, elsewhere)] == [True, False, False]


def test_a_folder_counts_what_all_processes_have_put(tmp_path: Path) -> None:
    SiteFolder(tmp_path).put("0.html", b"0")
    site = SiteFolder(tmp_path)
    site.put("own.html", b"own")

    def work(parts: Sequence[int]) -> None:
        for part in parts:
            site.put(f"{part}.html", str(part).encode())

    shared(PARTS, work, site)
    assert (site.written, site.unchanged) == (len(PARTS), 1)
    assert site.noted().names == {"own.html", *(f"{part}.html" for part in PARTS)}
