"""Each pattern of the catalogue tells decisions of real rounds apart."""

from __future__ import annotations

from arena.review.patterns import PATTERNS
from arena.review.phases import Phase
from arena.review.sight import sights_of
from tests.review.played import ANY, league


def test_in_real_rounds_each_is_done_and_not_done() -> None:
    seen: dict[str, set[bool | None]] = {pattern.key: set() for pattern in PATTERNS}
    for course in league(dict.fromkeys("abcd", ANY), 6):
        for sight in sights_of(course):
            for pattern in PATTERNS:
                if pattern.phase is sight.phase:
                    seen[pattern.key].add(pattern.done(sight))
    assert [key for key, found in seen.items() if False not in found] == []
    # Who chooses by chance hardly ever passes the lowest cards of all.
    assert {key for key, found in seen.items() if True not in found} <= {"pass-lowest"}


def test_words_follow_the_name_of_a_bot() -> None:
    for pattern in PATTERNS:
        assert pattern.key.startswith(pattern.phase)
        assert pattern.words.split()[0].endswith("s")
    assert {pattern.phase for pattern in PATTERNS} == set(Phase)
