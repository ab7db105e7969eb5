"""The code of the day does what the arena did when the leagues in `leagues` were played. README.md says how.

Each test takes a whole recorded season. Where it fails, the code has changed what a league comes to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import isclose
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import adapter
from tests.oracle.decisions import decide_again
from tests.oracle.players import answer

LEAGUES = sorted(path.stem for path in (Path(__file__).parent / "leagues").glob("*.jsonl"))
EXACT = 1e-9

Data = Mapping[str, Any]


@cache
def lines(league: str) -> Sequence[Data]:
    text = (Path(__file__).parent / "leagues" / f"{league}.jsonl").read_text(encoding="ascii")
    return [json.loads(line) for line in text.splitlines()]


def of_kind(league: str, kind: str) -> list[Data]:
    return [line for line in lines(league) if line["kind"] == kind]


def season_of(league: str) -> Data:
    return lines(league)[0]


def counting(league: str, moment: Data) -> list[Data]:
    """The sessions that count at a moment."""
    return [
        one
        for one in of_kind(league, "session")
        if one["session"][0] < moment["cycles"] and one["session"] not in moment["void"]
    ]


def same(found: Any, stored: Any, where: str = "") -> None:
    """Fail unless both are the same, numbers with a fraction to `EXACT`."""
    if isinstance(stored, float) or isinstance(found, float):
        assert isclose(found, stored, rel_tol=EXACT, abs_tol=EXACT), f"{where}: {found}, it was {stored}"
    elif isinstance(stored, Mapping):
        assert found.keys() == stored.keys(), f"{where}: {sorted(found)}, it was {sorted(stored)}"
        for key, value in stored.items():
            same(found[key], value, f"{where}.{key}")
    elif isinstance(stored, list):
        assert len(found) == len(stored), f"{where}: {found}, it was {stored}"
        for place, value in enumerate(stored):
            same(found[place], value, f"{where}[{place}]")
    else:
        assert found == stored, f"{where}: {found}, it was {stored}"


each_league = pytest.mark.parametrize("league", LEAGUES)


@each_league
def test_the_schedule_seats_the_same_bots_in_the_same_order(league: str) -> None:
    season = season_of(league)
    plan = adapter.schedule(season)
    planned = {
        (cycle, index): order
        for cycle in range(len(season["sessions_in"]))
        for index, (order, _) in enumerate(plan.sessions(cycle))
    }
    assert planned == {tuple(one["session"]): one["order"] for one in of_kind(league, "session")}
    matches = of_kind(league, "match")
    for match in matches:
        cycle, index, order = match["match"]
        assert plan.sessions(cycle)[index][1][order] == match["seats"]


@each_league
def test_secrets_boards_suits_and_seeds_are_the_same(league: str) -> None:
    season = season_of(league)
    for number, phase in enumerate(season["phases"]):
        assert adapter.secret_of(season["seed"], number, season["number"]) == phase["secret"]
    for session in of_kind(league, "session"):
        if "deal" in session:
            phase = season["phases"][session["phase"]]
            found = adapter.deal(season, phase, session["session"], season["matches_per_session"])
            assert found == session["deal"]


@each_league
def test_the_bots_play_the_same_matches_again(league: str) -> None:
    """What each seat is told, plays, points and faults, with bots in this process."""
    season = season_of(league)

    def said(bot: str, question: Mapping[str, Any]) -> Any:
        return answer(season["players"][bot], question)

    phases = {tuple(one["session"]): season["phases"][one["phase"]] for one in of_kind(league, "session")}
    for stored in of_kind(league, "match"):
        key = stored["match"]
        found = adapter.play(season, phases[key[0], key[1]], key, stored["seats"], said)
        same({"kind": "match", **found}, stored, f"match {key}")


@each_league
def test_sessions_add_up_to_the_points_of_their_matches(league: str) -> None:
    matches: dict[tuple[int, int], list[Data]] = {}
    for match in of_kind(league, "match"):
        matches.setdefault((match["match"][0], match["match"][1]), []).append(match)
    for session in of_kind(league, "session"):
        if "deal" not in session:
            continue
        sums: dict[str, list[int]] = {}
        for match in matches[tuple(session["session"])]:
            for bot, points, charge in zip(match["seats"], match["points"], match["charges"], strict=True):
                cards, faults = sums.get(bot, (0, 0))
                sums[bot] = [cards + points, faults + charge]
        assert sums == {bot: [cards, faults] for bot, (cards, faults, *_) in session["points"].items()}


@each_league
def test_standings_are_the_same_and_no_order_is_claimed_the_other_way_round(league: str) -> None:
    season = season_of(league)
    for stored in of_kind(league, "score"):
        moment, score = stored["moment"], stored["score"]
        found = adapter.score(season, moment, counting(league, moment))
        pairs = score["verdicts"]["pairs"] if score["verdicts"] else []
        was = {(better, worse) for better, worse, *_, verdict, _ in pairs if verdict == "ahead"}
        assert not was & {(worse, better) for better, worse in found["ahead"]}
        if not season["open"] and score["standings"]["comparable"] and found["standings"]["comparable"]:
            gone = [] if season["line_ups"] == "gauntlet" else moment["out"]
            same(
                found["standings"],
                without_intervals(score["standings"], gone),
                f"after {moment['cycles']} cycles",
            )


def without_intervals(standings: Data, out: Sequence[str]) -> Data:
    """The stored standings without the ±, and without the standard errors of bots that had left."""
    gone = {"standard_error": None}
    return {
        key: [
            {name: number for name, number in row.items() if name != "half_width"}
            | (gone if row["bot"] in out else {})
            for row in value
        ]
        if isinstance(value, list)
        else value
        for key, value in standings.items()
    }


def sittings(league: str) -> Iterator[Data]:
    """The matches of a season, each with who sat there and who was replaced."""
    plan = adapter.schedule(season_of(league))
    for session in of_kind(league, "session"):
        cycle, index = session["session"]
        for order, seats in enumerate(plan.sessions(cycle)[index][1]):
            lost = {bot: kind for place, bot, kind in session["lost"] if place == order}
            yield {"match": [cycle, index, order], "seats": seats, "lost": lost}


@each_league
def test_the_same_bots_are_excluded_at_the_same_moment(league: str) -> None:
    season = season_of(league)
    if season["disqualify_share"] == 1:
        return
    played = list(sittings(league))
    made = [one for one in season["rulings"] if one["by"] == "organiser"]
    for phase in season["phases"]:
        # Decisions of a phase that ended early, as of cycles that were not played, are none.
        for end, effect in adapter.decision_cycles(phase["first_cycle"], phase["planned"]):
            if end > phase["end"]:
                break
            after = None if effect == end else end
            made += [
                {"bot": bot, "out": True, "from": effect, "by": "arena", "after": after}
                for bot in adapter.exclusions(season, end, effect, played, made)
            ]
    assert sorted(made, key=json.dumps) == sorted(season["rulings"], key=json.dumps)


@each_league
def test_an_implementation_of_its_own_decides_the_same(league: str) -> None:
    """By the rules as they are now, from what was played then."""
    season, played = season_of(league), list(sittings(league))
    settled = {one["moment"]["cycles"]: one["score"]["settled"] for one in of_kind(league, "score")}
    found = list(adapter.decisions(season, played, settled))
    assert found == list(decide_again(season, played, settled))
    assert found, "each league has a decision"


@each_league
def test_a_league_ends_at_the_first_decision_at_which_it_is_settled(league: str) -> None:
    season = season_of(league)
    settled = {one["moment"]["cycles"]: one["score"]["settled"] for one in of_kind(league, "score")}
    for phase in season["phases"]:
        if phase["end"] == phase["planned"] or season["open"]:
            continue
        ends = [end for end, _ in adapter.decision_cycles(phase["first_cycle"], phase["planned"])]
        assert next(end for end in ends if settled[end]) == phase["end"]


@each_league
def test_newcomers_catch_up_with_the_same_sessions(league: str) -> None:
    season = season_of(league)
    if not season["open"]:
        return
    for number, phase in enumerate(season["phases"]):
        counted = [
            one
            for one in of_kind(league, "session")
            if one["phase"] < number and one["session"] not in phase["void"]
        ]
        assert adapter.owed(season, number, counted) == phase["owed"]


@each_league
def test_the_same_bots_go_on_after_a_stage(league: str) -> None:
    for stored in of_kind(league, "cut"):
        results = counting(league, stored["moment"])
        found = adapter.cut(season_of(league), stored["moment"], results, stored["rule"])
        assert found == {"going_on": stored["going_on"], "leaving": stored["leaving"]}
