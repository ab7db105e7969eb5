"""Who plays in the next phase of an open season, as far as rulings decide it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from arena.conduct.exclusion import Ruling
from arena.league.model import BotSection
from arena.season.open_field import Candidate, NextField, Seen, next_field
from arena.store.stored_season import StoredSeason
from arena.store.views import Entry, Reported, SeasonView


def candidate(digest: str) -> Candidate:
    return Candidate(BotSection(name="Duck", id="duck", folder="entries/duck", command=("x",)), digest)


def entries(count: int) -> tuple[Entry, ...]:
    """Versions that have played, each by its own digest."""
    told = [candidate(f"d{n}").entry(n, n - 1, at=0) for n in range(1, count + 1)]
    return tuple(
        Entry(**{key: getattr(one, key) for key in Entry.__slots__} | {"reported": Reported()})
        for one in told
    )


def season(stored: tuple[Entry, ...]) -> SeasonView:
    return SeasonView(
        1, 0, '{"league": {"open": true}}', "d", "", "balanced", 3, 3, 3, 3, 6, "ann", "", stored, ()
    )


def fell(version: int) -> Ruling:
    return Ruling(f"duck@{version}", True, 1, "it crashed")


def chosen(digest: str, *rulings: Ruling, versions: int = 3) -> NextField:
    known = SimpleNamespace(view=season(entries(versions)), rulings=rulings, failures={})
    return next_field(cast(StoredSeason, known), Seen([candidate(digest)]), (10**9, 24.0))


def test_a_disqualified_version_does_not_play_and_the_next_one_does() -> None:
    found = chosen("d2", fell(2))
    assert found.entries == ()
    assert [(one.bot, one.reason) for one in found.waiting] == [("duck@2", "excluded: it crashed")]
    assert [entry.bot for entry in chosen("new", fell(2)).entries] == ["duck@4"]


def test_after_three_disqualified_versions_no_other_is_taken_until_the_bot_is_reinstated() -> None:
    out = (fell(1), fell(2), fell(3))
    found = chosen("new", *out)
    assert (found.entries, found.new) == ((), ())
    (waiting,) = found.waiting
    assert waiting.bot == "duck"
    assert waiting.reason == (
        "excluded: 3 of its versions are excluded, the last one duck@3: it crashed; it plays again "
        "when it is reinstated"
    )
    again = chosen("new", *out, Ruling("duck", False, 1, "promised"))
    assert [entry.bot for entry in again.entries] == ["duck@4"]


def test_a_withdrawn_bot_brings_no_version() -> None:
    gone = Ruling("duck", True, 0, "asked for", by_organiser=True)
    found = chosen("new", gone)
    assert found.entries == ()
    assert [one.reason for one in found.waiting] == ["excluded: asked for"]
    assert [entry.bot for entry in chosen("d3", gone, Ruling("duck", False, 0, "")).entries] == ["duck@3"]
