"""Verdicts in words: each sentence says what its look says and no more."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from arena.score.fit import fit
from arena.score.verdicts import Look, Verdict
from arena.score.words import (
    basis,
    decided,
    first_place,
    form,
    lasting,
    letters_text,
    measured_against,
    more_sessions,
    outcome,
    place_text,
    rank_text,
    still_in,
)
from tests.score import leagues

NAMES = {bot: bot.upper() for bot in "abcdefg"}
AHEAD = "Settled: each bot is surely ahead of the next"
APART = "A cannot be told apart from"
UNDECIDED = "1 of 6 pairs of neighbours is undecided."
NOBODY = "Nobody is surely first: A cannot yet be told apart from any other bot"


def seen(bots: str, unsure: str = "", level: str = "") -> Look:
    """A look in which these pairs, "ab ac", are open or level; all others are ahead."""
    verdicts = {tuple(two): Verdict.OPEN for two in unsure.split()}
    return leagues.seen(bots, verdicts | {tuple(two): Verdict.LEVEL for two in level.split()})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bots", "unsure", "first", "order"),
    [
        ("abc", "", "A is surely ahead of every other bot.", f"{AHEAD}."),
        ("abc", "ac", "A cannot be told apart from C yet.", f"{AHEAD}."),
        ("ab", "ab", "A cannot be told apart from B yet.", "The only pair is undecided."),
        ("abc", "ab ac bc", f"{NOBODY}.", "2 of 2 pairs of neighbours are undecided."),
        ("abcdefg", "ab ac ad ae", f"{APART} B, C, D and E yet.", UNDECIDED),
        ("abcdefg", "ab ac ad ae af", f"{APART} B, C, D and 2 others yet.", UNDECIDED),
    ],
)
def test_the_first_place_and_how_much_is_decided(bots: str, unsure: str, first: str, order: str) -> None:
    assert first_place(seen(bots, unsure), NAMES, 2.0) == first
    assert decided(seen(bots, unsure), 2.0) == order


def test_what_is_claimed_where_some_are_level_out_or_still_to_come() -> None:
    level = seen("abc", "", "ab")
    assert first_place(level, NAMES, 2.0) == "A is level with B: the difference is surely within 2 points."
    assert decided(level, 2.0) == f"{AHEAD}, or level with it (within 2 points)."
    assert (
        first_place(seen("abc"), NAMES, 2.0, True) == "A is surely ahead of every other bot that is still in."
    )
    assert first_place(seen("abc", "ab ac"), NAMES, 2.0, True) == f"{NOBODY} that is still in."
    assert (
        decided(seen("abc"), 2.0, True) == "Settled: each bot that is still in is surely ahead of the next."
    )
    assert decided(replace(seen("abc"), final=False), 2.0) == "Each bot is surely ahead of the next."
    assert basis(replace(seen("ab"), sessions=1000)) == "1,000 sessions in 8 complete cycles"


def test_the_outcome_names_the_open_pairs_and_what_they_need() -> None:
    assert outcome(seen("abc", "ac")) == "settled"
    look = seen("abc", "ab bc")
    one, other = (more_sessions(pair.more_sessions) for pair in look.open_neighbours)
    assert outcome(look) == f"budget reached: 2 neighbouring pairs open: a and b ({one}); b and c ({other})"
    assert outcome(seen("abc", "ab")) == f"budget reached: 1 neighbouring pair open: a and b ({one})"
    assert [more_sessions(count) for count in (0, 99, 1234, None)] == [
        "about 1 more session",
        "about 99 more sessions",
        "about 1,300 more sessions",
        "not within reach; raise margin or accept a shared rank",
    ]


def test_whose_form_varies() -> None:
    said = form({"d": 9.0, "c": 7.0, "b": 5.25, "a": 4.0, "e": 1.0}, NAMES)
    named = "D by about 9.0 points, C by about 7.0 points, B by about 5.2 points and 2 others"
    assert said.startswith(f"Form varies from cycle to cycle: {named} (standard deviation)")
    assert (form({}, {}), lasting(fit([], "ab", 4))) == ("", "")


def test_who_is_still_in() -> None:
    assert still_in("abcdef", "x", NAMES) == ""
    assert still_in("abcdef", "ca", NAMES) == "4 of 6 bots are still in: A and C were excluded."
    assert still_in("abcdef", "abcde", NAMES) == (
        "Only 1 of 6 bots is still in: A, B, C and 2 others were excluded."
    )


def test_whom_scores_are_measured_against() -> None:
    plan = [*combinations("abcde", 4)] * 4 + [tuple("abcf"), tuple("abdf")]
    sessions = leagues.from_plan(1, [(0, each) for each in plan], 16, {"e": 40.0})
    assert measured_against(fit(sessions[:20], "abcde", 4), NAMES) == ""
    result = fit(sessions, "abcdf", 4)
    assert measured_against(result, NAMES) == (
        "Scores are measured against the 4 bots that are in; F has too few sessions to count in that; E left"
        f", which makes each score about {result.shift:.2f} points higher and differences 7 % larger."
    )


def test_places_ranks_and_letters() -> None:
    assert place_text((1, 1), 6) == "surely 1st of 6"
    assert place_text((2, 4), 6) == "surely between 2nd and 4th of 6"
    assert (rank_text((2, 2)), rank_text((2, 4))) == ("2", "2-4")
    assert (letters_text("ab"), letters_text(["z", "aa"])) == ("ab", "z,aa")
