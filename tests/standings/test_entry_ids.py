"""The ids of entries: a bot and the number of its version, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings.entry_ids import bot_of, entry_id, shown_name, version_of

BOTS = st.from_regex(r"[a-z0-9-]{1,40}", fullmatch=True)


@given(BOTS, st.integers(1, 10**6))
def test_bot_and_version_are_found_again(bot: str, version: int) -> None:
    entry = entry_id(bot, version)
    assert (bot_of(entry), version_of(entry)) == (bot, version)


@given(BOTS)
def test_the_id_of_a_bot_in_a_closed_season_is_its_only_version(bot: str) -> None:
    assert (bot_of(bot), version_of(bot)) == (bot, 1)


@given(BOTS, BOTS, st.integers(1, 99), st.integers(1, 99))
def test_no_two_entries_have_the_same_id(a: str, b: str, v: int, w: int) -> None:
    assert (entry_id(a, v) == entry_id(b, w)) == ((a, v) == (b, w))


@pytest.mark.parametrize("entry", ["duck@", "duck@0", "duck@x", "duck@1@2", "duck@-1", "duck@1.5"])
def test_what_is_no_entry_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match="expected bot@number, as duck@2"):
        version_of(entry)


def test_the_first_version_has_the_name_of_its_bot() -> None:
    assert [shown_name("Duck", version) for version in (1, 2, 10)] == ["Duck", "Duck v2", "Duck v10"]
