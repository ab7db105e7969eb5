"""Cutting a stream into lines, however the reads fall."""

from __future__ import annotations

import json
from importlib.resources import files
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import LineSplitter

CASES: list[dict[str, Any]] = json.loads(
    files("protocol").joinpath("vectors", "streams.json").read_text("utf-8")
)


def taken(splitter: LineSplitter) -> list[bytes]:
    lines = []
    while (line := splitter.next_line()) is not None:
        lines.append(line)
    return lines


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_streams_are_cut_as_the_vectors_say(case: dict[str, Any]) -> None:
    splitter = LineSplitter()
    for chunk in case["chunks_hex"]:
        splitter.feed(bytes.fromhex(chunk))
    assert splitter.lines_waiting == len(case["lines_hex"])
    assert [line.hex() for line in taken(splitter)] == case["lines_hex"]
    assert splitter.partial.hex() == case["rest_hex"]


streams = st.lists(st.sampled_from([b"\n", b"\r\n", b"A", b"BCD", b"\xff\x00", b"x" * 50]), max_size=60).map(
    b"".join
)


@given(streams, st.data())
def test_random_cuts_and_takes_lose_nothing(stream: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=20)))
    splitter = LineSplitter()
    lines: list[bytes] = []
    fed = 0
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        splitter.feed(stream[begin:end])
        fed += end - begin
        if data.draw(st.booleans()) and (line := splitter.next_line()) is not None:
            lines.append(line)
        assert splitter.unread_bytes == fed - sum(len(line) + 1 for line in lines)
        assert splitter.lines_waiting == stream[:fed].count(b"\n") - len(lines)
    assert lines + taken(splitter) + [splitter.partial] == stream.split(b"\n")
    assert splitter.unread_bytes == len(splitter.partial)


def test_a_long_line_in_small_reads_is_not_quadratic() -> None:
    def seconds(size: int) -> float:
        splitter = LineSplitter()
        began = perf_counter()
        for _ in range(size // 16):
            splitter.feed(b"x" * 16)
        splitter.feed(b"\n")
        assert splitter.next_line() == b"x" * size
        return perf_counter() - began

    small = min(seconds(2**17) for _ in range(3))
    assert seconds(2**21) < 100 * small  # linear: 16; quadratic: 256
