"""Every number that SPEC.md gives is the one that the arena goes by."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from arena.bot import answers, limits, link, output_log, waits
from arena.league.model import FaultsSection, SandboxSection, TimeSection
from arena.linux.process_tree import MOST_BELOW
from arena.papayoo import hand_size, pass_count
from arena.referee import process_pool
from arena.sandbox import Limits
from protocol.codec import MAX_LINE
from protocol.packing import MAX_DEPTH, MAX_ITEMS, MAX_KEYS
from tests.league.samples import league

SPEC = " ".join(files("protocol").joinpath("SPEC.md").read_text("utf-8").split())
TIME, SANDBOX, FAULTS, LIMITS = TimeSection(), SandboxSection(), FaultsSection(), Limits()
SIZES = range(3, 9)


@pytest.mark.parametrize(
    "words",
    [
        f"At most {MAX_LINE:,} bytes with its newline",
        f"at most {MAX_ITEMS} items, a map at most {MAX_KEYS} keys, and nesting is at most {MAX_DEPTH} deep",
        f"After {link.GRACE_SECONDS:g} seconds the process is killed",
        f"after {process_pool.MAX_MATCHES} matches",
        "when its memory has doubled and is above 64 MiB",
        f"{SANDBOX.processes} processes and threads, {LIMITS.open_files} open files",
        f"a private `/tmp` ({LIMITS.tmp_mib} MiB)",
        f"**Memory**: {SANDBOX.memory_mib} MiB.",
        f"{MOST_BELOW:,} processes at once are too many",
        f"{TIME.start_seconds:g} s by default",
        f"`move_ms`, {TIME.move_ms} by default",
        f"`bank_ms`, {TIME.bank_ms} by default",
        f"late by more than {link.LATE_LOOP * 1000:g} ms",
        f"at least {link.LEAST_EXTENSION * 1000:g} ms",
        f"({FAULTS.fault_points} each unless the league says otherwise)",
        f"limit ({FAULTS.max_faults} unless it says otherwise)",
        f"more than {answers.FLOOD_LINES} complete lines waiting beyond the answer",
        f"more than {MAX_LINE >> 10} KiB of output",
        f"more than {output_log.FLOOD_BYTES >> 20} MiB on standard error",
        "| cards in a hand | " + " | ".join(str(hand_size(size)) for size in SIZES),
        "| cards passed | " + " | ".join(str(pass_count(size)) for size in SIZES),
    ],
)
def test_the_page_says(words: str) -> None:
    assert words in SPEC


def test_the_share_of_a_core_off_turn() -> None:
    assert (limits.ALLOWED_SHARE, limits.BURST_US) == (1 / 5, 1_000_000)
    assert "for a fifth of the time in which it is not asked: 200 ms in each second" in SPEC
    assert "When more than one second has added up, that is too much" in SPEC
    found_after = limits.BURST_US / 1e6 / (1 - limits.ALLOWED_SHARE)
    assert f"computes without a pause gets there in {found_after:g} seconds" in SPEC


def test_the_wait_for_a_core_that_moves_a_deadline() -> None:
    assert waits.WAITED_SHARE == 1 / 10
    assert "more than a tenth of the question's time, the deadline moves once" in SPEC


def test_the_processor_time_of_a_match_in_the_example() -> None:
    model = league("rounds = 4\n[time]\nmove_seconds = 1.0\n")
    seconds = model.match_cpu_ms(model.bots[0]) // 1000
    questions = 4 * (1 + hand_size(4))
    assert f"With four players, four rounds and a `move_ms` of 1000 that is {seconds} seconds" in SPEC
    assert f"one pass and {hand_size(4)} plays, so {questions} questions" in SPEC


def test_the_example_of_the_bank_adds_up() -> None:
    """The rows of the table: what a question takes with 1000 ms a move, and the bank after it."""
    rows = [
        [cell.strip() for cell in line.split("|")[2:5]]
        for line in files("protocol").joinpath("SPEC.md").read_text("utf-8").splitlines()
        if re.match(r"\| (first|second|third|fourth) +\|", line)
    ]
    bank = 2000
    for took, outcome, left in rows:
        limit = 1000 + bank
        used = min(int(took.removesuffix(" ms")), limit)
        assert ("timeout" in outcome) == (int(took.removesuffix(" ms")) > limit)
        bank -= max(0, used - 1000)
        assert bank == int(left)
    assert len(rows) == 4
