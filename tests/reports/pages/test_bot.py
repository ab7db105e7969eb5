"""The page of a bot: what it says of where the bot stands, and what it hides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from arena.store.views import MatchView
from reports import Publish, ReportOptions
from reports.facts import LeagueFacts, read_facts
from reports.pages.bot import BotPage, BotPages
from reports.secrecy import Secrecy
from reports.text import ordinal
from tests.reports import played
from tests.reports.played import Bot, League

BOTS = (
    Bot("Duck", played.low, "Ada"),
    Bot("Low"),
    Bot("Random"),
    Bot("Moody", fault_rate=0.05, sent="<S7>", stderr="<b>oh" * 200),
)
EVERYTHING = ReportOptions(publish=frozenset(Publish))


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    """Three of four sessions complete, and the first matches of the last."""
    league = League(bots=BOTS, seats=3, rounds=3, cycles=2, matches=22)
    with played.play(tmp_path_factory.mktemp("bot") / "league.db", league) as database:
        yield read_facts(database)


def page(facts: LeagueFacts, bot: str, options: ReportOptions = EVERYTHING) -> BotPage:
    return BotPages(facts, {match.number for match in facts.matches}, Secrecy(options, facts.over)).page(bot)


def test_the_sentence_says_where_it_stands(facts: LeagueFacts) -> None:
    row = next(row for row in facts.standings.rows if row.bot == "duck")
    sentence = page(facts, "duck").sentence
    assert sentence.startswith(f"Duck has {row.score:.2f}")
    assert f"it is {ordinal(row.rank or 0)} of 4 by score" in sentence


def test_its_numbers_agree_with_the_standings(facts: LeagueFacts) -> None:
    for row in facts.standings.rows:
        made = page(facts, row.bot)
        assert made.rounds == row.rounds
        assert sum(share.count for share in made.compared.by_place) == made.matches
        assert {other.path for other in made.opponents} == {
            f"{other.bot}.html" for other in facts.standings.rows if other.bot != row.bot
        }


def test_a_fault_leads_to_its_trick_and_hides_what_is_still_played(facts: LeagueFacts) -> None:
    faults = [fault for fault in facts.faults if fault.bot == "moody"]
    made = page(facts, "moody")
    assert made.faults_total == len(faults) == sum(group.count for group in made.faults.shown) > 3
    by_match = {match.number: match for match in facts.matches}
    hidden = 0
    for group in made.faults.shown:
        hidden += bool(group.hidden)
        assert bool(group.hidden) == (not group.reason)
        for line in group.examples:
            assert by_match[line.match].cards_may_show is not bool(group.hidden)
            assert not (group.hidden and (line.sent or line.reason))
            assert (line.last_words == "") == bool(group.hidden)
            start = f"../matches/replay.html#m{line.match}"
            assert line.path.startswith(start)
            assert group.hidden or line.path.removeprefix(start).startswith("r")
    assert hidden, "the league must have faults in open sessions for this to be a test"


def test_commands_are_shown_only_where_they_are_published(facts: LeagueFacts) -> None:
    assert page(facts, "duck").command
    assert page(facts, "duck", ReportOptions()).command == ""


def test_the_best_matches_come_first_and_the_worst_first(facts: LeagueFacts) -> None:
    made = page(facts, "low")

    def own(matches: Sequence[MatchView]) -> list[int]:
        return [seat.total for match in matches for seat in match.seats if seat.name == "Low"]

    assert own(made.best) == sorted(own(made.best))
    assert own(made.worst) == sorted(own(made.worst), reverse=True)
    assert max(own(made.best)) <= min(own(made.worst)) or made.matches < 10
