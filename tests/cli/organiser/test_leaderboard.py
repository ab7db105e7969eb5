"""What the leaderboard claims once there are verdicts: ranks, letters, what is undecided; in 80 columns."""

from __future__ import annotations

import json

from arena.cli.organiser.board import Board
from arena.score.verdicts import Look
from tests.cli.boards import moody, score, season


def board(gap: float, size: int = 6, margin: float = 2.0, names: list[str] | None = None) -> Board:
    made = score(gap, size=size, margin=margin)
    return Board(season(made.scoring.bots, names or ()), made)


def look_of(made: Board) -> Look:
    assert isinstance(made.score.look, Look)
    return made.score.look


def test_ranks_and_letters_are_those_of_the_look() -> None:
    made = board(4.0)
    seen = look_of(made)
    head, *lines = made.text().splitlines()
    assert head.split() == ["rank", "bot", "ranks", "group", "score", "+-", "card", "fault", "sessions"]
    for line, row in zip(lines, made.score.standings.rows, strict=False):
        low, high = seen.ranks[row.bot]
        assert line.split()[2:4] == [
            f"{low}-{high}" if low < high else f"{low}",
            "".join(seen.letters[row.bot]),
        ]


def test_what_is_undecided_is_named_with_what_it_needs() -> None:
    made = board(2.0)
    still = look_of(made).open_neighbours
    lines = made.text().splitlines()
    assert f"{len(still)} of 5 pairs of neighbours are undecided." in " ".join(" ".join(lines).split())
    for pair in still:
        (line,) = [
            line for line in lines if line.startswith(f"  {pair.better.title()}, {pair.worse.title()}:")
        ]
        assert f"{pair.difference:.2f} apart, about " in line


def test_what_is_not_within_reach_is_said_in_80_columns() -> None:
    made = board(0.02, margin=0.0)
    far = [pair for pair in look_of(made).open_neighbours if pair.more_sessions is None]
    assert far
    lines = made.text().splitlines()
    said = " ".join(" ".join(lines).split())
    assert said.count("apart, not within reach; raise margin or accept a shared rank") == len(far)
    assert max(map(len, lines)) <= 80


def test_json_has_every_pair_and_every_rank() -> None:
    made = board(2.0, margin=3.0)
    seen = look_of(made)
    told = json.loads(json.dumps(made.document()))
    assert told["verdicts"]["margin"] == 3.0
    assert told["verdicts"]["settled"] is seen.settled
    assert told["verdicts"]["undecided"] == [[pair.better, pair.worse] for pair in seen.open_neighbours]
    assert len(told["verdicts"]["pairs"]) == 15
    for pair, stored in zip(told["verdicts"]["pairs"], seen.pairs, strict=True):
        assert (pair["better"], pair["worse"], pair["verdict"]) == (
            stored.better,
            stored.worse,
            stored.verdict.value,
        )
        assert (pair["difference"], pair["se"]) == (stored.difference, stored.se)
        assert pair["more_sessions"] == stored.more_sessions
    for row in told["standings"]:
        assert (row["rank_low"], row["rank_high"]) == seen.ranks[row["bot"]]
        assert tuple(row["letters"].split()) == seen.letters[row["bot"]]


def test_whose_form_varies_is_said_with_what_to_do() -> None:
    varies = moody("bot02", 20.0)
    made = Board(season(varies.scoring.bots), varies)
    said = " ".join(made.text().split())
    deviation = varies.standings.fit.varying["bot02"]
    assert f"Form varies from cycle to cycle: Bot02 by about {deviation:.1f} points" in said
    assert "Find out whether a bot learns" in said
    assert made.document()["form_varies"] == {"bot02": deviation}
    quiet = board(2.0)
    assert "Form varies" not in quiet.text()
    assert quiet.document()["form_varies"] == {}
