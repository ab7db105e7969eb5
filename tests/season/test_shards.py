"""Parts of a league: which sessions are whose, when none may be played, and the same league once joined."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals import MatchKey
from arena.errors import DatabaseBusy, StoreError, UsageError
from arena.export import Export, Format, What, columns_of, encoded, table_rows
from arena.match.record import MatchRecord
from arena.schedule import Field, LineUps, Plan, Session
from arena.season.agenda import Agenda, Played
from arena.season.shards import MAX_SHARDS, Merged, Shard, merge, part_of, undecided
from arena.store.acts import void_act
from arena.store.copying import copy_database
from arena.store.database import Database
from arena.store.history import NEW_SEASON, NOTED_KEYS, Action, LogLine
from arena.store.lock import RunLock
from arena.store.reader import Reader
from arena.store.views import MatchState
from arena.store.writer import Writer
from tests.cli.leagues import change, value
from tests.examples import examples
from tests.reports.played import FIVE, START, Builder, League

PLAN = Plan(Field(5, 3, "0" * 64, LineUps.ALL))


@given(st.integers(1, 12), st.integers(1, 15), st.integers(1, 6))
def test_every_session_is_of_exactly_one_part(parts: int, per_cycle: int, cycles: int) -> None:
    shards = [Shard(number, parts) for number in range(1, parts + 1)]
    sessions = list(product(range(cycles), range(per_cycle)))
    sizes = [sum(shard.has(key, per_cycle) for key in sessions) for shard in shards]
    assert all(sum(shard.has(key, per_cycle) for shard in shards) == 1 for key in sessions)
    assert max(sizes) - min(sizes) <= 1


def test_the_agendas_of_the_parts_are_that_of_the_whole() -> None:
    parts = [
        partial(Shard(number, 4).has, sessions_per_cycle=PLAN.sessions_per_cycle) for number in range(1, 5)
    ]
    agendas = [Agenda(PLAN, 3, Played(), ours=part) for part in parts]
    whole = Agenda(PLAN, 3, Played())
    assert sum(agenda.planned for agenda in agendas) == whole.planned == 30 * PLAN.matches_per_session
    assert set.union(*map(_drained, agendas)) == _drained(whole)
    assert _drained(whole) == set()


def _drained(agenda: Agenda) -> set[tuple[MatchKey, ...]]:
    return {work.keys for work in iter(agenda.next, None) if work is not None}


@pytest.mark.parametrize("text", ["1/1", "1/3", "3/3", f"{MAX_SHARDS}/{MAX_SHARDS}"])
def test_a_part_is_written_as_it_is_read(text: str) -> None:
    shard = Shard.parse(text)
    assert str(shard) == text
    assert part_of(f"spring{shard.name}") == shard.name


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/3/4", "a/b", "1/10001", "1 / 3"])
def test_anything_else_is_no_part(text: str) -> None:
    with pytest.raises(ValueError, match=r"parts? "):
        Shard.parse(text)


@pytest.mark.parametrize("stem", ["spring", "spring.shard", "spring.shard-1-of-x", ".shard-1-of-3.old"])
def test_other_databases_are_of_no_part(stem: str) -> None:
    assert part_of(stem) == ""


@pytest.mark.parametrize(
    ("cycles", "over", "decisions", "refused"),
    [
        (1, set(), {"who plays": True}, False),
        (2, set(), {"who plays": False, "when it ends": False}, False),
        (2, set(), {"who plays": True, "when it ends": False}, True),
        (2, {(0, 0)}, {"who plays": True}, True),
        (2, {(0, 0), (0, 1)}, {"who plays": True}, False),
        (3, {(0, 0), (0, 1)}, {"who plays": True}, True),
    ],
)
def test_nothing_is_decided_without_the_whole(
    cycles: int, over: set[tuple[int, int]], decisions: dict[str, bool], refused: bool
) -> None:
    said = undecided((cycles, lambda cycle: 2), over, decisions)
    assert bool(said) == refused
    assert ("who plays" in said) == refused


LEAGUE = League(bots=FIVE, seats=3, rounds=1, cycles=2, seed="tests")
"""Two cycles of 10 sessions of 6 matches, with faults."""

_RECORDS: dict[MatchKey, MatchRecord] = {}


class Player(Builder):
    """Plays each match once for all tests: the same seed gives the same match."""

    def _match(self, key: MatchKey, row: tuple[int, ...]) -> MatchRecord:
        if key not in _RECORDS:
            _RECORDS[key] = super()._match(key, row)
        return _RECORDS[key]


def sessions_of(builder: Builder, shard: Shard) -> list[Session]:
    per_cycle = builder.plan.sessions_per_cycle
    return [one for one in builder._sessions() if shard.has((one.cycle, one.index), per_cycle)]


def play_part(path: Path, shard: Shard, leave: int = 0) -> Path:
    """The database of a part; of its last session `leave` matches are still to be played."""
    with Database.open(path, create=True) as database:
        builder = Player(database, LEAGUE)
        sessions = sessions_of(builder, shard)
        for session in sessions:
            last = len(session.rows) - (leave if session is sessions[-1] else 0)
            builder.play_session(session, 0, last)
        act = Action(START + shard.number, "ann", NEW_SEASON, "1", "")
        builder.writer.action(act)
        builder.writer.action(replace(act, what=NOTED_KEYS, detail="{}"))
        builder.writer.log(LogLine(START + shard.number, "warning", "run", f"said by part {shard}"))
    return path


def exported(path: Path) -> dict[What, bytes]:
    """Every table with all its columns."""
    with Database.open(path, read_only=True) as database:
        reader = Reader(database)
        season = reader.current_season()
        assert season is not None
        return {
            what: b"".join(
                encoded(
                    table_rows(reader, Export(season, what, True, False)),
                    [column.name for column in columns_of(what, True)],
                    Format.CSV,
                )
            )
            for what in What
        }


def dumped(path: Path) -> list[str]:
    """All that is in a database."""
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


@cache
def whole() -> dict[What, bytes]:
    """What the league gives when it is played in one place."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "spring.db"
        with Database.open(path, create=True) as database:
            Player(database, LEAGUE).play()
        return exported(path)


def join(target: Path, parts: Iterable[Path]) -> Merged:
    return merge(target, (target.with_suffix(".lock"),), tuple(parts))


@examples(4)
@given(st.integers(1, 4), st.randoms(use_true_random=False), st.integers(0, 5))
@pytest.mark.slow
def test_parts_joined_are_the_whole(
    tmp_path_factory: pytest.TempPathFactory, parts: int, rng: Random, leave: int
) -> None:
    """In any order, one at a time or together, again and again, and of a part that is still being played."""
    folder = tmp_path_factory.mktemp("parts")
    shards = [Shard(number, parts) for number in range(1, parts + 1)]
    target = folder / "spring.db"
    join(target, [play_part(folder / "early.db", shards[-1], leave=leave)])
    paths = [play_part(folder / f"spring{shard.name}.db", shard) for shard in shards]
    rng.shuffle(paths)
    join(target, paths[:1])
    merged = join(target, paths)
    assert merged.progress.matches_finished == merged.progress.matches_planned == 120
    assert exported(target) == whole()
    before = dumped(target)
    again = join(target, [*reversed(paths), folder / "early.db"])
    assert [(one.sessions, one.matches) for one in again.joined] == [(0, 0)] * (parts + 1)
    assert dumped(target) == before


def test_nothing_comes_twice(tmp_path: Path) -> None:
    """Every part began the season by itself; the merged one began when the first of them did."""
    paths = [play_part(tmp_path / f"{number}.db", Shard(number, 2)) for number in (1, 2)]
    change(paths[0], "UPDATE season SET opened_at = 9", "UPDATE stretch SET committed_at = 9")
    change(paths[1], "UPDATE season SET opened_at = 8", "UPDATE stretch SET committed_at = 8")
    target = tmp_path / "spring.db"
    join(target, paths)
    with Database.open(target, read_only=True) as database:
        reader = Reader(database)
        assert [act.what for act in reader.actions()] == [NEW_SEASON, NOTED_KEYS]
        assert [line.text for line in reader.logs()] == ["said by part 1/2", "said by part 2/2"]
    assert (
        value(target, "SELECT opened_at FROM season"),
        value(target, "SELECT committed_at FROM stretch"),
    ) == (8, 8)


def test_what_an_organiser_did_to_a_part_is_joined_too(tmp_path: Path) -> None:
    part = play_part(tmp_path / "part.db", Shard(1, 2))
    target = tmp_path / "spring.db"
    join(target, [part])
    with Database.open(part) as database:
        Writer(database).void(1, (0, 0), void_act(1, (0, 0), "a power cut", (START, "ann")))
    merged = join(target, [part])
    assert (merged.joined[0].sessions, merged.progress.sessions_voided) == (1, 1)
    assert exported(target)[What.SESSIONS] == exported(part)[What.SESSIONS]
    before = dumped(target)
    join(target, [part])
    assert dumped(target) == before


def test_attempts_that_were_cut_short_are_joined_once_they_have_ended(tmp_path: Path) -> None:
    part, target = play_part(tmp_path / "part.db", Shard(1, 2), leave=1), tmp_path / "spring.db"
    change(
        part,
        'INSERT INTO match SELECT max(id) + 1, session, season, cycle, "index", "order" + 1, 0, number + 1,'
        " 'begun', '', '', started_at, NULL, 0, 0, 0, '', 0, 0, 0, 0, 0 FROM match",
    )
    join(target, [part])
    assert value(target, "SELECT count(*) FROM match WHERE state <> 'finished'") == 0
    with Database.open(part) as database:
        assert Writer(database).interrupt_begun(1, "power cut") == 1
    join(target, [part])
    assert value(target, "SELECT state || reason FROM match ORDER BY id DESC") == "interruptedpower cut"


def test_a_part_that_goes_on_with_what_was_begun_in_the_whole(tmp_path: Path) -> None:
    """As when a league was killed, copied, and then played on in parts: the next run ends what was begun."""
    target, part = play_part(tmp_path / "spring.db", Shard(1, 1), leave=1), tmp_path / "part.db"
    change(target, "UPDATE match SET state = 'begun', finished_at = NULL WHERE id = 1")
    for table in ("seat", "round", "fault"):
        change(target, f"DELETE FROM {table} WHERE match = 1")
    copy_database(target, part)
    with Database.open(part) as database:
        Writer(database).interrupt_begun(1, "the run before did not end in order")
    assert join(target, [part]).joined[0].sessions == 0
    assert value(target, "SELECT state FROM match WHERE id = 1") == MatchState.INTERRUPTED.value


REFUSED = [
    (["UPDATE season SET digest = 'other'"], "season 1: 5ea50f"),
    (["UPDATE stretch SET commitment = 'c0ffee'"], "deals committed to: "),
    (["UPDATE stretch SET league_digest = 'other'"], "league file (SHA-256): "),
    (["UPDATE stretch SET cycles_planned = 3"], "cycles: 2 and 3"),
    (["UPDATE stretch SET public_draw = '7'"], "public draw: None and 7"),
    (
        ["UPDATE round SET plays = passes WHERE match = 1"],
        "session 0.0: the same match was played in both, and",
    ),
    (["UPDATE match SET started_at = 1 WHERE id = 1"], "session 0.0: the same match was played in both, and"),
    (["UPDATE session SET line_up = 'duck low' WHERE id = 1"], "session 0.0: it has another line-up"),
    (["UPDATE session SET state = 'left_out' WHERE id = 1"], "session 0.0: it was left out in one only"),
    (
        [
            "INSERT INTO action (at, who, what, subject, reason, detail) VALUES "
            "(1, 'ann', 'withdraw', 'duck', 'why', '{\"season\": 1, \"from_cycle\": 1}')"
        ],
        "the act 'withdraw duck' is in that one only",
    ),
    (
        [
            "INSERT INTO action (at, who, what, subject, reason, detail) VALUES "
            "(1, 'arena', 'disqualify', 'duck', 'why', '{\"season\": 1, \"from_cycle\": 1}')"
        ],
        "the act 'disqualify duck' is in that one only",
    ),
]


@pytest.mark.parametrize(("statements", "said"), REFUSED)
def test_what_is_not_of_the_same_league_is_refused(
    tmp_path: Path, statements: Sequence[str], said: str
) -> None:
    target, part = play_part(tmp_path / "spring.db", Shard(1, 2)), tmp_path / "part.db"
    copy_database(target, part)
    change(part, *statements)
    before = dumped(target)
    with pytest.raises(UsageError, match=r"part\.db cannot be joined to .*spring\.db") as refused:
        join(target, [part])
    assert said in refused.value.message
    assert dumped(target) == before


def test_another_version_of_a_bot_is_named(tmp_path: Path) -> None:
    target, part = (
        play_part(tmp_path / "spring.db", Shard(1, 2)),
        play_part(tmp_path / "part.db", Shard(2, 2)),
    )
    for path, digest in ((target, "aaa"), (part, "bbb")):
        document = json.dumps({"bots": [{"id": "duck", "digest": digest}]})
        change(path, f"UPDATE season SET document = '{document}', digest = '{digest}'")
    with pytest.raises(UsageError, match=r"bots\.duck\.digest: \"?aaa\"? -> \"?bbb\"?: a file in its folder"):
        join(target, [part])


def test_a_match_that_was_played_in_both_is_refused(tmp_path: Path) -> None:
    """Each of them went on with the same session by itself."""
    target, part = play_part(tmp_path / "spring.db", Shard(1, 1), leave=2), tmp_path / "part.db"
    copy_database(target, part)
    last = "(SELECT max(id) FROM match)"
    for path, order in ((target, 4), (part, 5)):
        change(
            path,
            f'INSERT INTO match SELECT id + 1, session, season, cycle, "index", {order}, 0,'
            f" number + {order} - 3, 'interrupted', '', '', 1, NULL, 0, 0, 0, '', 0, 0, 0, 0, 0"
            f" FROM match WHERE id = {last}",
        )
    with pytest.raises(UsageError, match=r"session 1\.9: it was continued in both"):
        join(target, [part])


def test_bots_that_are_disqualified_in_one_only(tmp_path: Path) -> None:
    target = play_part(tmp_path / "spring.db", Shard(1, 2))
    change(target, REFUSED[-1][0][0])
    before = dumped(target)
    with pytest.raises(UsageError, match=r"session 1\.\d: other bots are disqualified"):
        join(target, [play_part(tmp_path / "part.db", Shard(2, 2))])
    assert dumped(target) == before


def test_what_cannot_be_joined_at_all(tmp_path: Path) -> None:
    target = play_part(tmp_path / "spring.db", Shard(1, 2))
    with pytest.raises(UsageError, match="that is the database to which the others are joined"):
        join(target, [target])
    with pytest.raises(StoreError, match="There is no database"):
        join(target, [tmp_path / "none.db"])
    Database.open(tmp_path / "empty.db", create=True).close()
    with pytest.raises(UsageError, match="there is no season in it"):
        join(target, [tmp_path / "empty.db"])
    with RunLock(target.with_suffix(".lock")), pytest.raises(DatabaseBusy):
        merge(target, (target.with_suffix(".lock"),), [play_part(tmp_path / "part.db", Shard(2, 2))])
