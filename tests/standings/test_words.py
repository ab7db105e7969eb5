"""Verdicts in words: each sentence says what its look says and no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from arena.standings import Fit, Look, Pair, Plan, Verdict, fit, look
from arena.standings.words import (
    basis,
    decided,
    first_place,
    form,
    more_sessions,
    outcome,
    still_in,
)
from tests.standings import leagues

NAMES = {bot: bot.upper() for bot in "abcdefg"}
AHEAD = "Settled: each bot is surely ahead of the next"
APART = "A cannot be told apart from"
NOBODY = "Nobody is surely first: A cannot yet be told apart from any other bot."
FIT: Fit = fit([], ["a", "b"], 4)


def seen(verdicts: Mapping[str, str], bots: str = "abc") -> Look:
    """A look in which pairs, "ab", have these verdicts; all others are ahead."""
    pairs = tuple(
        Pair(a, b, 3.0, 1.0, Verdict(verdicts.get(a + b, "ahead")), None)
        for number, a in enumerate(bots)
        for b in bots[number + 1 :]
    )
    return Look(8, 120, 3.96, tuple(bots), pairs, {}, {}, FIT)


@pytest.mark.parametrize(
    ("verdicts", "bots", "sentence"),
    [
        ({}, "abc", "A is surely ahead of every other bot."),
        ({"bc": "open"}, "abc", "A is surely ahead of every other bot."),
        ({"ab": "open"}, "abc", "A cannot be told apart from B yet."),
        ({"ab": "open"}, "ab", "A cannot be told apart from B yet."),
        ({"ab": "open", "ac": "level"}, "abc", "A cannot be told apart from B yet."),
        ({"ab": "level"}, "abc", "A is level with B: the difference is surely within 2 points."),
        ({"ab": "open", "ac": "open"}, "abc", NOBODY),
        ({f"a{b}": "open" for b in "bcd"}, "abcde", f"{APART} B, C and D yet."),
        ({f"a{b}": "open" for b in "bcde"}, "abcdefg", f"{APART} B, C, D and E yet."),
        ({f"a{b}": "open" for b in "bcdef"}, "abcdefg", f"{APART} B, C, D and 2 others yet."),
    ],
)  # fmt: skip
def test_the_first_place(verdicts: dict[str, str], bots: str, sentence: str) -> None:
    assert first_place(seen(verdicts, bots), NAMES, 2.0) == sentence


@pytest.mark.parametrize(
    ("verdicts", "bots", "sentence"),
    [
        (
            {"ac": "open"},
            "abc",
            "Settled: each bot is surely ahead of the next.",
        ),
        ({"ac": "level"}, "abc", "Settled: each bot is surely ahead of the next."),
        ({"bc": "level"}, "abc", f"{AHEAD}, or level with it (within 2 points)."),
        ({"ab": "open"}, "abc", "1 of 2 pairs of neighbours is undecided."),
        ({"ab": "open", "bc": "open"}, "abc", "2 of 2 pairs of neighbours are undecided."),
        ({"ab": "open"}, "ab", "The only pair is undecided."),
    ],
)
def test_how_much_is_decided(verdicts: dict[str, str], bots: str, sentence: str) -> None:
    assert decided(seen(verdicts, bots), 2.0) == sentence


def test_what_a_look_rests_on() -> None:
    sessions, bots = leagues.complete(1, 6, 4, 8)
    taken = look(sessions, bots, 4, Plan(15, 8), 0.0)
    assert isinstance(taken, Look)
    assert basis(taken) == "120 sessions in 8 complete cycles"
    assert basis(replace(taken, cycles=1, sessions=1000)) == "1,000 sessions in 1 complete cycle"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (None, "not within reach; raise margin or accept a shared rank"),
        (0, "about 1 more session"),
        (1, "about 1 more session"),
        (99, "about 99 more sessions"),
        (101, "about 110 more sessions"),
        (1234, "about 1,300 more sessions"),
        (99_001, "about 100,000 more sessions"),
    ],
)
def test_how_many_more_sessions(count: int | None, text: str) -> None:
    assert more_sessions(count) == text


def test_the_outcome_names_the_open_pairs() -> None:
    sessions, bots = leagues.complete(1, 6, 4, 8)
    seen = look(sessions, bots, 4, Plan(15, 8), 2.0)
    assert isinstance(seen, Look)
    first = seen.open_neighbours[0]
    assert outcome(seen).startswith(
        f"budget reached: {len(seen.open_neighbours)} neighbouring pairs open: {first.better} and "
        f"{first.worse} ({more_sessions(first.more_sessions)}); "
    )
    others = [pair if pair is first else replace(pair, verdict=Verdict.LEVEL) for pair in seen.pairs]
    one = replace(seen, pairs=tuple(others))
    assert outcome(one).startswith(f"budget reached: 1 neighbouring pair open: {first.better} and ")
    assert outcome(replace(seen, pairs=tuple(replace(p, verdict=Verdict.LEVEL) for p in seen.pairs))) == (
        "settled"
    )


@pytest.mark.parametrize(
    ("varying", "named"),
    [
        ({"a": 4.0}, "A by about 4.0 points (standard deviation)"),
        ({"b": 5.25, "a": 4.0}, "B by about 5.2 points and A by about 4.0 points (standard deviation)"),
        (
            {"d": 9.0, "c": 7.0, "b": 5.0, "a": 4.0, "e": 1.0},
            "D by about 9.0 points, C by about 7.0 points, B by about 5.0 points and 2 others (standard",
        ),
    ],
)
def test_whose_form_varies(varying: dict[str, float], named: str) -> None:
    said = form(varying, {bot: bot.upper() for bot in "abcde"})
    assert said.startswith(f"Form varies from cycle to cycle: {named}")
    assert form({}, {}) == ""


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        ("", ""),
        ("x", ""),
        ("a", "5 of 6 bots are still in: A was excluded."),
        ("ca", "4 of 6 bots are still in: A and C were excluded."),
        ("abc", "Only 3 of 6 bots are still in: A, B and C were excluded."),
        ("abcde", "Only 1 of 6 bots is still in: A, B, C and 2 others were excluded."),
        ("abcdef", "None of 6 bots is still in: A, B, C and 3 others were excluded."),
    ],
)
def test_who_is_still_in(out: str, sentence: str) -> None:
    assert still_in("abcdef", out, NAMES) == sentence


def test_nothing_is_claimed_of_those_who_are_out() -> None:
    assert first_place(seen({}), NAMES, 2.0, some_out=True) == (
        "A is surely ahead of every other bot that is still in."
    )
    assert decided(seen({}), 2.0, some_out=True) == (
        "Settled: each bot that is still in is surely ahead of the next."
    )
    nobody = first_place(seen({"ab": "open", "ac": "open"}), NAMES, 2.0, some_out=True)
    assert nobody == (
        "Nobody is surely first: A cannot yet be told apart from any other bot that is still in."
    )
