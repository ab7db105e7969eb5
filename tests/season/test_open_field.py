"""Who plays next in an open season: new versions, old ones that return, who waits and who plays on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conduct.exclusion import Ruling
from arena.league.model import BotSection
from arena.score.entry_ids import bot_of
from arena.season.open_field import Candidate, NextField, Seen, moved, next_field
from arena.store.acts import FailedStart
from arena.store.stored_season import StoredSeason
from arena.store.views import Entry, Reported

HOUR = 3_600_000
NOW = 1_000 * HOUR


def candidate(bot: str, files: str = "a", **other: Any) -> Candidate:
    keys = {"id": bot, "name": bot.upper(), "folder": f"entries/{bot}", "command": ("./bot",), **other}
    return Candidate(BotSection.model_validate(keys), files * 64)


def stored(*versions: str, started: bool = True) -> list[Entry]:
    """Entries in the order in which they came, an hour apart: "ant a" is the bot ant with the files a."""
    found: list[Entry] = []
    for number, (bot, files) in enumerate(version.split() for version in versions):
        own = 1 + sum(bot_of(entry.bot) == bot for entry in found)
        entry = candidate(bot, files).entry(own, number, NOW - 100 * HOUR + number * HOUR)
        found.append(replace(entry, reported=Reported("x") if started else None))
    return found


def season(entries: Sequence[Entry], playing: Iterable[str]) -> SimpleNamespace:
    ids = tuple(playing)
    return SimpleNamespace(entries=tuple(entries), phases=[SimpleNamespace(entries=ids)] if ids else [])


def chosen(
    entries: Sequence[Entry],
    playing: Iterable[str],
    there: Sequence[Candidate],
    *,
    rulings: Sequence[Ruling] = (),
    failures: Mapping[str, Sequence[FailedStart]] | None = None,
    hours: float = 24.0,
    unready: Iterable[str] = (),
) -> NextField:
    view = season(entries, playing)
    known = SimpleNamespace(view=view, rulings=rulings, failures=failures or {})
    return next_field(cast(StoredSeason, known), Seen(there, resting=tuple(unready)), (NOW, hours))


def ids(found: NextField) -> list[str]:
    return [entry.bot for entry in found.entries]


def test_all_who_are_there_at_the_beginning_come_in_their_order() -> None:
    found = chosen([], [], [candidate("bee"), candidate("ant")])
    assert ids(found) == ["bee@1", "ant@1"]
    assert [(entry.number, entry.entered_at) for entry in found.new] == [(0, NOW), (1, NOW)]


def test_another_version_takes_the_place_of_the_one_that_plays() -> None:
    found = chosen(stored("ant a", "bee a"), ["ant@1", "bee@1"], [candidate("ant", "b"), candidate("bee")])
    assert ids(found) == ["bee@1", "ant@2"]
    assert [(entry.bot, entry.number, entry.name) for entry in found.new] == [("ant@2", 2, "ANT v2")]
    assert [entry.bot for entry in found.without(["ant@2"])] == ["ant@1", "bee@1"]
    assert [entry.bot for entry in found.without(["ant@2", "ant@1"])] == ["bee@1"], "neither starts"


def test_files_that_return_are_the_entry_that_they_were() -> None:
    entries = stored("ant a", "ant b", "bee a")
    assert ids(chosen(entries, ["ant@2", "bee@1"], [candidate("ant", "a")])) == ["ant@1"]
    back = chosen(entries, ["bee@1"], [candidate("ant", "b"), candidate("bee")], hours=10**6)
    assert ids(back) == ["ant@2", "bee@1"], "what is not new need not wait"
    assert back.new == ()


def test_a_removed_folder_withdraws_its_bot() -> None:
    assert ids(chosen(stored("ant a", "bee a"), ["ant@1", "bee@1"], [candidate("bee")])) == ["bee@1"]


def test_a_folder_that_cannot_be_taken_now_withdraws_nobody() -> None:
    entries = stored("ant a", "bee a", "cat a")
    found = chosen(entries, ["ant@1", "bee@1"], [candidate("bee")], unready=["ant", "cat", "dog", "bee"])
    assert ids(found) == ["ant@1", "bee@1"], "the cat did not play, the dog never came"
    out = [Ruling("ant", True, 0, "a copy", by_organiser=True)]
    assert ids(chosen(entries, ["ant@1"], [], rulings=out, unready=["ant"])) == []
    failed = {"ant@1": [FailedStart("no file")] * 3}
    assert ids(chosen(entries, ["ant@1"], [], failures=failed, unready=["ant"])) == []
    assert ids(chosen(stored("house-1 a"), ["house-1@1"], [], unready=["house-1"])) == [], "it fills seats"


@pytest.mark.parametrize(("hours", "expected"), [(99.0, "ant@2"), (100.0, "ant@2"), (101.0, "ant@1")])
def test_a_second_version_within_version_hours_waits(hours: float, expected: str) -> None:
    found = chosen(stored("ant a"), ["ant@1"], [candidate("ant", "b")], hours=hours)
    assert ids(found) == [expected]
    told = [one.reason for one in found.waiting]
    assert told == ([] if expected == "ant@2" else [
        "a new version is taken in 1.0 hours, for one was taken not long ago (version_hours)"
    ])  # fmt: skip


def test_a_version_that_came_in_the_future_makes_nobody_wait() -> None:
    """The clock of the machine was a year ahead, and was corrected."""
    first, ahead = stored("ant a", "ant b")
    entries = [first, replace(ahead, entered_at=NOW + 366 * 24 * HOUR)]
    assert ids(chosen(entries, ["ant@2"], [candidate("ant", "c")], hours=24.0)) == ["ant@3"]
    waits = chosen(entries, ["ant@2"], [candidate("ant", "c")], hours=101.0)
    assert ids(waits) == ["ant@2"]
    assert "in 1.0 hours" in waits.waiting[0].reason


def test_a_version_that_never_started_makes_nobody_wait() -> None:
    found = chosen(stored("ant a", started=False), [], [candidate("ant", "b")], hours=10**6)
    assert ids(found) == ["ant@2"]


@pytest.mark.parametrize(
    ("started", "times", "plays"),
    [(False, 0, True), (False, 1, False), (True, 1, True), (True, 2, True), (True, 3, False)],
)
def test_who_has_started_before_is_tried_three_times(started: bool, times: int, plays: bool) -> None:
    found = chosen(
        stored("ant a", started=started),
        [],
        [candidate("ant")],
        failures={"ant@1": [FailedStart("no file")] * times} if times else {},
    )
    assert ids(found) == (["ant@1"] if plays else [])
    assert bool(found.waiting) != plays


def test_a_version_that_may_not_play_leaves_its_place_to_the_one_that_plays() -> None:
    entries = stored("ant a", "ant b")
    out = [Ruling("ant@2", True, 0, "replaced in 9 of 9 matches")]
    found = chosen(entries, ["ant@1"], [candidate("ant", "b")], rulings=out)
    assert ids(found) == ["ant@1"]
    assert [(one.bot, one.reason) for one in found.waiting] == [
        ("ant@2", "excluded: replaced in 9 of 9 matches")
    ]


def test_a_bot_that_is_out_is_out_with_every_version() -> None:
    out = [Ruling("ant", True, 0, "its author asked", by_organiser=True)]
    found = chosen(stored("ant a"), ["ant@1"], [candidate("ant", "b")], rulings=out)
    assert ids(found) == []
    assert [(one.bot, one.reason) for one in found.waiting] == [("ant", "excluded: its author asked")]


def test_how_a_bot_is_shown_is_taken_as_it_is_now() -> None:
    found = chosen(stored("ant a"), ["ant@1"], [candidate("ant", author="Ada")])
    assert found.new == ()
    assert [entry.author for entry in found.entries] == ["Ada"]


BOTS = ("ant", "bee", "cat", "dog")
THERE = st.dictionaries(st.sampled_from(BOTS), st.sampled_from("abc"))


@given(
    st.lists(st.tuples(st.sampled_from(BOTS), st.sampled_from("abc")), unique=True, max_size=8),
    st.sets(st.sampled_from(BOTS)),
    THERE,
    st.sets(st.sampled_from(BOTS)),
    st.dictionaries(st.sampled_from([f"{bot}@{n}" for bot in BOTS for n in (1, 2)]), st.integers(0, 3)),
    st.sets(st.sampled_from([*BOTS, *(f"{bot}@1" for bot in BOTS)])),
    st.data(),
)
def test_whatever_has_come_there_is_one_version_of_a_bot_and_no_gap_in_the_numbers(
    versions: list[tuple[str, str]],
    sat: set[str],
    there: dict[str, str],
    unready: set[str],
    failed: dict[str, int],
    out: set[str],
    data: st.DataObject,
) -> None:
    entries = stored(*(f"{bot} {files}" for bot, files in versions))
    playing = [next((entry.bot for entry in entries if bot_of(entry.bot) == bot), "") for bot in sorted(sat)]
    rulings = [Ruling(one, True, 0, "x") for one in sorted(out)]
    found = chosen(
        entries, [one for one in playing if one], [candidate(*one) for one in there.items()],
        rulings=rulings, failures={one: [FailedStart("no file")] * n for one, n in failed.items() if n},
        hours=data.draw(st.sampled_from([0.0, 10**6])), unready=unready,
    )  # fmt: skip
    gone = data.draw(st.sets(st.sampled_from([*ids(found), "nobody@1"])))
    for one in (found, found.without_unready(gone & {entry.bot for entry in found.new})):
        bots = [bot_of(entry.bot) for entry in one.entries]
        assert len(set(bots)) == len(bots)
        assert not {*bots, *ids(one)} & out
        assert set(bots) <= there.keys() | unready
        numbers = [entry.number for entry in one.entries]
        assert numbers == sorted(set(numbers))
        assert [entry.number for entry in one.new] == list(range(len(entries), len(entries) + len(one.new)))
        assert not gone & {entry.bot for entry in one.without(gone)}
    assert {entry.bot for entry in found.new} <= set(ids(found)) | failed.keys() | out


def test_after_three_versions_that_are_out_no_other_is_taken_until_the_bot_is_reinstated() -> None:
    out = [Ruling(f"ant@{version}", True, 1, "it crashed") for version in (1, 2, 3)]
    entries, there = stored("ant a", "ant b", "ant c"), [candidate("ant", "d")]
    found = chosen(entries, [], there, rulings=out)
    assert (found.entries, found.new) == ((), ())
    assert [(one.bot, one.reason) for one in found.waiting] == [
        (
            "ant",
            "excluded: 3 of its versions are excluded, the last one ant@3: it crashed; it plays again when "
            "it is reinstated",
        )
    ]
    assert ids(chosen(entries, [], there, rulings=[*out, Ruling("ant", False, 1, "promised")])) == ["ant@4"]


def test_who_left_who_is_replaced_and_who_is_back() -> None:
    before, now = ["ant@1", "bee@1", "cow@2", "house-1@1"], ["bee@2", "cow@2", "duck@1", "elk@1"]
    said = moved(before, now, {"ant@1", "bee@1", "cow@1", "cow@2", "duck@1", "house-1@1"})
    assert said == ("ant@1 has left", "bee@1 is replaced by bee@2", "duck@1 is back")
    assert moved(now, now, set(now)) == ()
