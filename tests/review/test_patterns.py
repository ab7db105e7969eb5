"""Each pattern of the catalogue against positions made by hand: and of real rounds."""

from __future__ import annotations

import pytest

from arena.review.patterns import PATTERNS
from arena.review.phases import Phase
from arena.review.sight import Sight, sights_of
from tests.review.played import ANY, league
from tests.review.sitting_at import a_pass, a_play

BY_KEY = {pattern.key: pattern for pattern in PATTERNS}
MIXED = "S1 S7 S9 H2 H5 H8 D4 D10 C3 P2 P12 P18"

DONE: dict[str, Sight] = {
    "pass-keeps-sevens": a_pass(MIXED, "S1 S9 H2 H5 P18"),
    "pass-sevens": a_pass(MIXED, "S7 S9 H8 D10 P18"),
    "pass-keeps-payoos": a_pass(MIXED, "S7 S9 H8 D10 P12"),
    "pass-no-payoo": a_pass(MIXED, "S7 S9 H8 D10 C3"),
    "pass-keeps-high": a_pass(MIXED, "S7 P18 P12 D4 C3"),
    "pass-low": a_pass(MIXED, "S1 S9 H8 D10 P18"),
    "pass-middle": a_pass(MIXED, "D4 S9 H8 S7 P18"),
    "pass-low-payoos": a_pass(MIXED, "P2 S9 H8 S7 D10"),
    "pass-plain": a_pass(MIXED, "H2 S9 H8 S7 P18"),
    "pass-lowest": a_pass(MIXED, "S1 H2 P2 C3 D4"),
    "pass-highest": a_pass(MIXED, "P18 P12 D10 S9 H8"),
    "pass-no-void": a_pass(MIXED, "P18 P12 D10 S9 H8"),
    "pass-spread": a_pass(MIXED, "S9 H8 D10 C3 P18"),
    "pass-longest": a_pass("S1 S2 S3 S4 S9 S10 H2 P3", "S2 S3 S4 S9 S10"),
    "lead-highest": a_play("S1 H8 P3", "H8"),
    "lead-lowest": a_play("S1 H8 P3", "S1"),
    "lead-top": a_play("S1 S3 P3", "S3"),
    "lead-papayoo": a_play("S1 S7 P3", "S7"),
    "lead-above-papayoo": a_play("S1 S9 P3", "S9"),
    "lead-papayoo-suit": a_play("S1 S7 P3", "S1"),
    "lead-payoo": a_play("S1 P3", "P3"),
    "lead-high-payoo": a_play("S1 P3 P11", "P11"),
    "lead-plain": a_play("S1 P3", "S1"),
    "lead-high": a_play("S1 H8", "H8"),
    "lead-middle": a_play("S1 H4", "H4"),
    "lead-void": a_play("S1 H4", "H4", voids="H"),
    "lead-own": a_play("S1 H9 H10", "H10", gone="H1 H2 H3 H4 H5 H6 H7 H8"),
    "lead-same": a_play("S1 H4", "H4", before="H1 H2 H3 H5"),
    "lead-longest": a_play("S1 S2 H4", "S1"),
    "lead-shortest": a_play("S1 S2 H4", "H4"),
    "lead-S": a_play("S1 H4", "S1"),
    "lead-H": a_play("S1 H4", "H4"),
    "lead-D": a_play("S1 D4", "D4"),
    "lead-C": a_play("S1 C4", "C4"),
    "follow-over-points": a_play("P3 P9", "P9", "P5"),
    "follow-over": a_play("H3 H9", "H9", "H5"),
    "follow-over-last": a_play("P3 P9", "P9", "P5 P1 P2"),
    "follow-over-papayoo": a_play("S1 S9", "S9", "S2"),
    "follow-highest": a_play("H3 H9", "H9", "H5"),
    "follow-lowest": a_play("H3 H9", "H3", "H5"),
    "follow-low": a_play("H2 H3 H9", "H2", "H5"),
    "follow-not-highest": a_play("H2 H3 H9", "H2", "H5"),
    "follow-ducks": a_play("H2 H9", "H2", "H5 H6 H1"),
    "follow-keeps-papayoo": a_play("S2 S7", "S2", "S9"),
    "follow-papayoo-on-top": a_play("S2 S7", "S7", "S3"),
    "follow-takes-low": a_play("H8 H9", "H8", "H5 H6 H1"),
    "follow-high-early": a_play("H8 H9", "H9", "H5"),
    "discard-keeps-papayoo": a_play("S7 P3", "P3", "H5"),
    "discard-highest": a_play("S7 P13", "P13", "H5"),
    "discard-lowest": a_play("S7 P3", "P3", "H5"),
    "discard-keeps-payoos": a_play("S1 P13", "S1", "H5"),
    "discard-low-payoos": a_play("P2 P13", "P2", "H5"),
    "discard-low": a_play("S1 S9", "S1", "H5"),
    "discard-payoo": a_play("S9 P2", "P2", "H5"),
    "discard-keeps-above": a_play("S9 P2", "P2", "H5"),
    "discard-longest": a_play("S1 S2 P2", "S2", "H5"),
    "discard-shortest": a_play("S1 S2 P2", "P2", "H5"),
}


def test_every_pattern_is_here() -> None:
    assert list(DONE) == [pattern.key for pattern in PATTERNS]
    assert len(BY_KEY) == len(PATTERNS)


@pytest.mark.parametrize("key", DONE)
def test_it_is_done(key: str) -> None:
    pattern = BY_KEY[key]
    assert DONE[key].phase is pattern.phase
    assert pattern.done(DONE[key]) is True


def test_in_real_rounds_each_is_often_not_done() -> None:
    seen: dict[str, set[bool | None]] = {pattern.key: set() for pattern in PATTERNS}
    for course in league(dict.fromkeys("abcd", ANY), 6):
        for sight in sights_of(course):
            for pattern in PATTERNS:
                if pattern.phase is sight.phase:
                    seen[pattern.key].add(pattern.done(sight))
    assert [key for key, found in seen.items() if False not in found] == []


def test_words_follow_the_name_of_a_bot() -> None:
    for pattern in PATTERNS:
        assert pattern.key.startswith(pattern.phase)
        assert pattern.words.split()[0].endswith("s")
    assert {pattern.phase for pattern in PATTERNS} == set(Phase)
