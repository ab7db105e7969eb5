"""The document of a phase: the same after writing and reading; all else is refused in words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import StoreError
from arena.store.phase_document import PhaseDocument, phase_document_from

ENTRIES = st.from_regex(r"[a-z0-9-]{1,8}@[1-9][0-9]?", fullmatch=True)
DOCUMENTS = st.builds(
    PhaseDocument,
    rules=st.text(max_size=8),
    entries=st.lists(ENTRIES, min_size=1, max_size=6).map(tuple),
    owed=st.lists(st.tuples(ENTRIES, st.integers(1, 32)), max_size=3).map(tuple),
    first_cycle=st.integers(0, 10**6),
    cycles=st.integers(1, 10**6),
    first_match=st.integers(1, 10**9),
    acts=st.integers(0, 10**6),
)
ONE = PhaseDocument("5ea50f", ("ant@1", "bee@2"), (("bee@2", 3),), 4, 2, 25, 7)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(DOCUMENTS)
def test_it_is_read_as_it_was_written(document: PhaseDocument) -> None:
    assert phase_document_from(document.text) == document


@given(st.text() | ANYTHING.map(json.dumps))
def test_what_is_no_document_is_refused_in_words(text: str) -> None:
    with pytest.raises(StoreError, match=r"The document of a phase cannot be read \("):
        phase_document_from(text)


@given(st.sampled_from(sorted(json.loads(ONE.text))), ANYTHING)
def test_a_value_of_another_kind_is_refused_and_never_read_otherwise(key: str, value: object) -> None:
    told = {**json.loads(ONE.text), key: value}
    try:
        found = phase_document_from(json.dumps(told))
    except StoreError:
        return
    assert json.loads(found.text) == told


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("cycles", 0, "cycles: Input should be greater than or equal to 1"),
        ("cycles", "2", "cycles: Input should be a valid integer"),
        ("first_cycle", -1, "first_cycle: Input should be greater than or equal to 0"),
        ("first_match", 0, "first_match: Input should be greater than or equal to 1"),
        ("entries", [], "entries: Tuple should have at least 1 item"),
        ("entries", "ant@1", "entries: Input should be a valid array"),
        ("owed", [["bee@2", 33]], "owed.0.1: Input should be less than or equal to 32"),
    ],
)
def test_the_key_that_is_wrong_is_named(key: str, value: object, said: str) -> None:
    with pytest.raises(StoreError) as caught:
        phase_document_from(json.dumps({**json.loads(ONE.text), key: value}))
    assert said in str(caught.value)
