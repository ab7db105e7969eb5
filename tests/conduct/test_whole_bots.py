"""Which bots of an open league are out with all versions, and what a reinstated one is judged by."""

from __future__ import annotations

from arena.conduct.exclusion import Conduct, Ruling, Sitting, whole_bots_out
from arena.match.faults import HandOver
from tests.conduct.shares import ByShare

ORDERS = 4


def fell(version: int, cycle: int = 1) -> Ruling:
    return Ruling(f"duck@{version}", True, cycle, f"version {version} failed")


def back(what: str, cycle: int = 1) -> Ruling:
    return Ruling(what, False, cycle, "mended")


def test_they_count_since_the_bot_was_reinstated() -> None:
    first = [fell(1), fell(2), fell(3), back("duck")]
    assert whole_bots_out(first) == {}
    assert whole_bots_out([*first, fell(4), fell(5)]) == {}
    assert whole_bots_out([*first, fell(4), fell(5), fell(6)]).keys() == {"duck"}


def test_a_version_that_was_reinstated_does_not_count() -> None:
    made = [fell(1), fell(2), fell(3), back("duck@2")]
    assert whole_bots_out(made) == {}
    assert whole_bots_out([*made, fell(4)]).keys() == {"duck"}


def test_the_organiser_takes_out_the_bot_and_its_reason_is_the_one_shown() -> None:
    ruling = Ruling("duck", True, 0, "asked for", by_organiser=True)
    assert whole_bots_out([ruling]) == {"duck": ruling}
    assert whole_bots_out([fell(1), fell(2), fell(3), ruling]) == {"duck": ruling}
    assert whole_bots_out([ruling, back("duck")]) == {}


def conduct(bot: str) -> Conduct:
    """Of a bot that lost 2 of 4 matches in each of the cycles 0 and 1."""
    known = Conduct(ByShare(0.1, 10), ORDERS)
    for cycle in (0, 1):
        lost = [HandOver.CRASHED if order < 2 else None for order in range(ORDERS)]
        known.add(Sitting(bot, cycle, 0, order, what) for order, what in enumerate(lost))
    return known


def sessions(bot: str, *rulings: Ruling) -> int:
    return conduct(bot).tally(bot, 1, rulings).total()


EXCLUDED = Ruling("duck", True, 1, "asked for", by_organiser=True)


def test_who_is_reinstated_is_judged_anew_and_no_other_version_is() -> None:
    assert sessions("duck", EXCLUDED, back("duck")) == 1
    assert sessions("duck@1", EXCLUDED, back("duck")) == 1
    assert sessions("duck@1", fell(1), back("duck@1")) == 1
    assert sessions("duck@1", fell(2), back("duck@2")) == 2
    assert sessions("duck@1", Ruling("low", True, 1, ""), back("low")) == 2


def test_the_bot_is_reinstated_with_all_its_versions() -> None:
    """Here it was out because three versions were."""
    assert sessions("duck@4", fell(1), fell(2), fell(3), back("duck")) == 1
