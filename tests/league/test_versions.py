"""What makes a version of a bot: all by which it plays, and nothing by which it is only shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.model import BotSection
from arena.league.versions import folder_digest_of, started_by, version_text

DIGEST = "ab" * 32
KNOWN = {"id": "duck", "name": "Duck", "folder": "entries/duck"}


def bot(**other: Any) -> BotSection:
    return BotSection.model_validate({**KNOWN, "command": ("{python}", "bot.py"), **other})


@pytest.mark.parametrize(
    "other",
    [
        {"command": ("./duck",)},
        {"build": ("make",)},
        {"threads": 2},
    ],
)
def test_what_a_bot_plays_by_makes_another_version(other: dict[str, Any]) -> None:
    assert version_text(bot(**other), DIGEST) != version_text(bot(), DIGEST)
    again = started_by(KNOWN, version_text(bot(**other), DIGEST))
    assert again == bot(**other), "it is started from its text as from its folder"


def test_other_files_make_another_version() -> None:
    assert version_text(bot(), "cd" * 32) != version_text(bot(), DIGEST)
    assert folder_digest_of(version_text(bot(), DIGEST)) == DIGEST


@pytest.mark.parametrize("other", [{"name": "Drake"}, {"author": "Ada"}])
def test_how_a_bot_is_shown_makes_no_other_version(other: dict[str, Any]) -> None:
    assert version_text(bot(**other), DIGEST) == version_text(bot(), DIGEST)


@given(st.text() | st.dictionaries(st.text(max_size=6), st.integers()).map(json.dumps))
def test_what_is_no_version_is_refused_in_words(text: str) -> None:
    for read in (folder_digest_of, lambda text: started_by(KNOWN, text)):
        with pytest.raises(ValueError, match=r".+"):
            read(text)
