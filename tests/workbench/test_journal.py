"""The journal of a match: who may read it, what is refused, and what a kill leaves of its last line."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from arena.errors import StoreError, UsageError
from arena.workbench.journal import Journal, Opening, Past, Turn, digest_of, newest_journal
from protocol import encode
from protocol.messages import answer_line

ASKED = {"type": "play", "id": "q1", "hand": ["S1"], "bank_ms": 5}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "papayoo-arena"


def begun(seats: int = 3) -> Journal:
    return Journal.begin(Opening.of(["--me", "duck"], ["duck"], "seed", seats))


def test_it_holds_what_was_asked_and_said(state: Path) -> None:
    journal = begun()
    journal.heard(0, True, answer_line("q0", "S1"))
    journal.heard(0, False, encode({"type": "start", "players": 3}))
    journal.heard(0, False, encode(ASKED))
    journal.heard(1, False, encode(ASKED))
    journal.heard(0, True, b"\xff nonsense")
    journal.heard(0, True, b"S1 again")
    journal.out(1)
    journal.close(remove=False)
    again = Journal.open(journal.path)
    assert again.opening == journal.opening
    digest = digest_of(ASKED)
    assert again.past == (
        Past((Turn(digest, (b"\xff nonsense\n", b"S1 again\n")),)),
        Past((Turn(digest),), out=True),
        Past(),
    )
    assert [one.settled for one in again.past] == [1, 1, 0]
    assert not again.is_new
    again.close(remove=True)
    assert list(state.iterdir()) == []


def test_a_bank_that_is_left_makes_no_other_question() -> None:
    assert digest_of(ASKED) == digest_of({**ASKED, "bank_ms": 4})
    assert digest_of(ASKED) != digest_of({**ASKED, "hand": ["S2"]})


def test_nobody_else_may_read_it(state: Path) -> None:
    journal = begun()
    assert oct(journal.path.stat().st_mode & 0o777) == "0o600"
    assert oct(state.stat().st_mode & 0o777) == "0o700"
    journal.close(remove=True)


def test_what_a_kill_has_left_of_a_line_is_cut_off(state: Path) -> None:
    journal = begun()
    journal.heard(0, False, encode(ASKED))
    journal.close(remove=False)
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole + b'{"seat": 0, "sai')
    again = Journal.open(journal.path)
    again.heard(0, False, encode(ASKED))
    again.heard(0, True, b"x")
    again.close(remove=False)
    assert journal.path.read_bytes() == whole + b'{"seat": 0, "said": "x"}\n'


def test_what_is_relived_is_not_written_twice(state: Path) -> None:
    journal = begun()
    for _ in range(2):
        journal.heard(0, False, encode(ASKED))
        journal.heard(0, True, b"x")
    journal.close(remove=False)
    whole = journal.path.read_bytes()
    again = Journal.open(journal.path)
    for _ in range(2):
        again.heard(0, False, encode(ASKED))
        again.heard(0, True, b"x")
    assert journal.path.read_bytes() == whole
    again.heard(0, False, encode(ASKED))
    again.close(remove=False)
    assert journal.path.read_bytes().startswith(whole)
    assert json.loads(journal.path.read_bytes().splitlines()[-1]) == {"seat": 0, "asked": digest_of(ASKED)}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "its first line does not say what it is made from"),
        (b"hello\n", "its first line does not say"),
        (b"{}\n", "its first line does not say"),
        (
            b'{"words": [], "bots": [], "folder": "/", "seed": "a", "id_keys": [], "version": 9}\n',
            "it has version 9, and this arena reads 1",
        ),
        (b'{"words": [], "bots": [], "folder": "/", "seed": "a", "id_keys": []}\nx\n', "line 2"),
        (b'{"words": [], "bots": [], "folder": "/", "seed": "a", "id_keys": []}\n{"seat": 4}\n', "line 2"),
        (b'{"words": [], "bots": [], "folder": "/", "seed": "a", "id_keys": []}\n[]\n', "line 2"),
    ],
)
def test_other_files_are_refused_in_words(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(UsageError, match="is no match that can be gone on with") as error:
        Journal.open(tmp_path / "file")
    assert why in str(error.value)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="missing: No such file or directory"):
        Journal.open(tmp_path / "missing")
    with pytest.raises(UsageError, match="Is a directory"):
        Journal.open(tmp_path)


def test_one_that_is_played_is_left_alone(state: Path) -> None:
    with pytest.raises(UsageError, match="There is no match to go on with"):
        newest_journal()
    first = begun()
    with pytest.raises(UsageError, match="this match is being played now"):
        Journal.open(first.path)
    with pytest.raises(UsageError, match="There is no match to go on with"):
        newest_journal()
    second = begun()
    first.close(remove=False)
    assert newest_journal() == first.path
    second.close(remove=False)
    os.utime(first.path, (time.time() - 60,) * 2)
    assert newest_journal() == second.path


def test_what_nobody_goes_on_with_is_forgotten_after_a_month(state: Path) -> None:
    old, fresh = begun(), begun()
    old.close(remove=False)
    fresh.close(remove=False)
    os.utime(old.path, (time.time() - 31 * 86_400,) * 2)
    third = begun()
    assert set(state.iterdir()) == {fresh.path, third.path}
    third.close(remove=True)


def test_where_it_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(StoreError, match="the match cannot be kept as it goes on"):
        begun()
