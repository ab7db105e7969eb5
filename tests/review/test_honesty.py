"""A review from the records to its findings: a planted fault is the first, play without one has none."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from arena.papayoo import POINTS_PER_ROUND, Round, cards_of, rank_of
from arena.review.course import courses_of
from arena.review.findings import Place
from arena.review.one import review_one
from arena.review.reviewed import Reviewed
from arena.review.sample import choices_of, fair_order, in_order, targets
from arena.review.summary import BotReview
from arena.review.whole import review_of
from arena.strategy import Policy as Rollout
from arena.strategy import passed
from tests.review.played import DUMP, SHORT, playing, records
from tests.review.policies import Policy

BOT, SEED, WORLDS, DECISIONS = "bot", "honest", 32, 100


def _sound(round_: Round, dice: Random) -> int:
    assert round_.papayoo_suit is not None
    others = sum(round_.hands) & ~round_.hands[round_.turn]
    return Rollout(round_.players, round_.papayoo_suit).choose(round_.legal(), others, round_.trick)


SOUND = Policy(lambda hand, count, dice: passed(hand, count), _sound)


def leads_highest(round_: Round, dice: Random, card: int) -> int:
    return card if round_.trick else max(cards_of(round_.legal()), key=rank_of)


def review(bot: Policy) -> BotReview:
    """Review a bot among sound ones, as `arena review` does, by so many decisions."""
    played = records({BOT: bot, "a": SOUND, "b": SHORT, "c": DUMP}, 20)
    courses = [course for record in played for course in courses_of(record)]
    by_key = {record.key: record for record in played}
    fair, aimed = fair_order(choices_of(courses, BOT), SEED), targets(courses, BOT, SEED)
    found: dict[Place, Reviewed] = {}
    for asked in islice(in_order(fair, aimed), DECISIONS):
        known = found.get(asked.place)
        if known is None:
            known = review_one(by_key[asked.place[0]], asked.place, seed=SEED, worlds=WORLDS)
            known = replace(known, in_sample=False)
        found[asked.place] = replace(known, in_sample=known.in_sample or asked.in_sample)
    strengths = {
        name: sum(course.points[course.bots.index(name)] for course in courses) / len(courses)
        - POINTS_PER_ROUND / 4
        for name in (BOT, "a", "b", "c")
    }
    return review_of(courses, BOT, list(found.values()), strengths, 40, len(played))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "first"), [(playing(SOUND, leads_highest), "lead-highest"), (SOUND, "")], ids=["fault", "none"]
)
def test_a_planted_fault_is_the_first_finding_and_sound_play_has_none(bot: Policy, first: str) -> None:
    assert next((finding.key for finding in review(bot).findings), "") == first
