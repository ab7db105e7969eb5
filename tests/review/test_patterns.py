"""Each pattern of the catalogue against positions made by hand: done, not done, and not such a place."""

from __future__ import annotations

import pytest

from arena.review.patterns import PATTERNS
from arena.review.phases import Phase
from arena.review.sight import Sight
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

NOT_DONE: dict[str, Sight] = {
    "pass-keeps-sevens": DONE["pass-sevens"],
    "pass-sevens": DONE["pass-keeps-sevens"],
    "pass-keeps-payoos": DONE["pass-keeps-sevens"],
    "pass-no-payoo": DONE["pass-keeps-payoos"],
    "pass-keeps-high": DONE["pass-sevens"],
    "pass-low": DONE["pass-sevens"],
    "pass-middle": DONE["pass-sevens"],
    "pass-low-payoos": DONE["pass-sevens"],
    "pass-plain": a_pass(MIXED, "S7 S9 H8 P12 P18"),
    "pass-lowest": DONE["pass-highest"],
    "pass-highest": DONE["pass-lowest"],
    "pass-no-void": DONE["pass-spread"],
    "pass-spread": DONE["pass-highest"],
    "pass-longest": a_pass("S1 S2 S3 S4 S9 S10 H2 P3", "H2 S3 S4 S9 S10"),
    "lead-highest": DONE["lead-lowest"],
    "lead-lowest": DONE["lead-highest"],
    "lead-top": a_play("S1 S3 P3", "P3"),
    "lead-papayoo": DONE["lead-papayoo-suit"],
    "lead-above-papayoo": a_play("S1 S9 P3", "S1"),
    "lead-papayoo-suit": DONE["lead-papayoo"],
    "lead-payoo": DONE["lead-plain"],
    "lead-high-payoo": a_play("S1 P3 P11", "P3"),
    "lead-plain": DONE["lead-payoo"],
    "lead-high": a_play("S1 H8", "S1"),
    "lead-middle": a_play("S1 H4", "S1"),
    "lead-void": a_play("S1 H4", "S1", voids="H"),
    "lead-own": a_play("S1 H9 H10", "S1", gone="H1 H2 H3 H4 H5 H6 H7 H8"),
    "lead-same": a_play("S1 H4", "S1", before="H1 H2 H3 H5"),
    "lead-longest": DONE["lead-shortest"],
    "lead-shortest": DONE["lead-longest"],
    "lead-S": DONE["lead-H"],
    "lead-H": DONE["lead-S"],
    "lead-D": a_play("S1 D4", "S1"),
    "lead-C": a_play("S1 C4", "S1"),
    "follow-over-points": a_play("P3 P9", "P3", "P5"),
    "follow-over": DONE["follow-lowest"],
    "follow-over-last": a_play("P3 P9", "P3", "P5 P1 P2"),
    "follow-over-papayoo": a_play("S1 S9", "S1", "S2"),
    "follow-highest": DONE["follow-lowest"],
    "follow-lowest": DONE["follow-highest"],
    "follow-low": a_play("H2 H3 H9", "H3", "H5"),
    "follow-not-highest": a_play("H2 H3 H9", "H3", "H5"),
    "follow-ducks": a_play("H2 H9", "H9", "H5 H6 H1"),
    "follow-keeps-papayoo": a_play("S2 S7", "S7", "S9"),
    "follow-papayoo-on-top": a_play("S2 S7", "S2", "S3"),
    "follow-takes-low": a_play("H8 H9", "H9", "H5 H6 H1"),
    "follow-high-early": a_play("H8 H9", "H8", "H5"),
    "discard-keeps-papayoo": a_play("S7 P3", "S7", "H5"),
    "discard-highest": a_play("S7 P13", "S7", "H5"),
    "discard-lowest": a_play("S7 P3", "S7", "H5"),
    "discard-keeps-payoos": a_play("S1 P13", "P13", "H5"),
    "discard-low-payoos": a_play("P2 P13", "P13", "H5"),
    "discard-low": a_play("S1 S9", "S9", "H5"),
    "discard-payoo": a_play("S9 P2", "S9", "H5"),
    "discard-keeps-above": a_play("S9 P2", "S9", "H5"),
    "discard-longest": DONE["discard-shortest"],
    "discard-shortest": DONE["discard-longest"],
}

ELSEWHERE: list[tuple[str, Sight]] = [
    ("pass-keeps-sevens", a_pass("S1 S2 S3 P4 P5 P6", "S1 S2 S3 P4 P5")),
    ("pass-keeps-payoos", a_pass("S1 S2 S3 P4 P5 P15", "S1 S2 S3 P4 P5")),
    ("pass-keeps-high", a_pass("S1 S2 S3 P4 P5 S8", "S1 S2 S3 P4 P5")),
    ("pass-no-void", a_pass("S1 S2 S3 S4 S5 S6 P1", "S1 S2 S3 S4 S5")),
    ("lead-highest", a_play("S3 H3", "S3")),
    ("lead-top", a_play("S3 H3", "S3")),
    ("lead-papayoo", a_play("S3 H7", "S3")),
    ("lead-above-papayoo", a_play("S1 S9 P3", "S9", gone="S7")),
    ("lead-papayoo-suit", a_play("S1 P3", "S1")),
    ("lead-high-payoo", a_play("P12 P13", "P13")),
    ("lead-void", a_play("S1 H4", "H4")),
    ("lead-void", a_play("S1 H4", "H4", voids="SH")),
    ("lead-same", a_play("S1 H4", "H4")),
    ("lead-longest", a_play("S1 H4", "H4")),
    ("follow-over-points", a_play("H3 H9", "H9", "H5")),
    ("follow-over", a_play("H8 H9", "H9", "H5")),
    ("follow-over-last", a_play("P3 P9", "P9", "P5 P1")),
    ("follow-over-papayoo", a_play("S1 S9", "S9", "S2 S3 S4")),
    ("follow-low", a_play("H2 H9", "H2", "H5")),
    ("follow-ducks", a_play("H2 H9", "H2", "H5 H6 P1")),
    ("follow-keeps-papayoo", a_play("S2 S7", "S2", "S3")),
    ("follow-papayoo-on-top", a_play("S2 S7", "S7", "S9")),
    ("follow-takes-low", a_play("H8 H9", "H8", "H5 H6")),
    ("follow-high-early", a_play("H8 H9", "H9", "H5 H6 H1")),
    ("discard-keeps-papayoo", a_play("S9 P3", "P3", "H5")),
    ("discard-keeps-payoos", a_play("S7 P13", "P13", "H5")),
    ("discard-keeps-above", a_play("S9 P2", "P2", "H5", gone="S7")),
]


def test_every_pattern_is_here() -> None:
    assert list(DONE) == list(NOT_DONE) == [pattern.key for pattern in PATTERNS]
    assert len(BY_KEY) == len(PATTERNS)


@pytest.mark.parametrize("key", DONE)
def test_it_is_done(key: str) -> None:
    pattern = BY_KEY[key]
    assert DONE[key].phase is pattern.phase
    assert pattern.done(DONE[key]) is True


@pytest.mark.parametrize("key", NOT_DONE)
def test_it_is_not_done_where_it_could_be(key: str) -> None:
    pattern = BY_KEY[key]
    assert NOT_DONE[key].phase is pattern.phase
    assert pattern.done(NOT_DONE[key]) is False


@pytest.mark.parametrize(("key", "sight"), ELSEWHERE)
def test_it_is_no_such_place(key: str, sight: Sight) -> None:
    assert sight.phase is BY_KEY[key].phase
    assert BY_KEY[key].done(sight) is None


def test_words_follow_the_name_of_a_bot() -> None:
    for pattern in PATTERNS:
        assert pattern.key.startswith(pattern.phase)
        assert pattern.words.split()[0].endswith("s")
    assert {pattern.phase for pattern in PATTERNS} == set(Phase)
