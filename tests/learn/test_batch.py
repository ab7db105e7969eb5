"""Rounds side by side are rounds of `arena.papayoo`: played beside it, decision by decision."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.learn import PLANES, Batch, Boards, IllegalActionError, Observation, fact_names
from arena.papayoo import CARDS, POINTS_PER_ROUND, Board, Phase, Round, mask_of, rank_of, suit_of

SIZES = range(3, 9)
ROUNDS = 6


def boards(players: int, count: int, seed: int = 0) -> list[tuple[Board, int]]:
    """Boards with the seats that deal them, each seat in turn."""
    random = np.random.default_rng(seed)
    drawn = Boards.drawn(random, count, players, 0)
    return [
        (Board(tuple(map(int, hands)), int(papayoo)), number % players)
        for number, (hands, papayoo) in enumerate(zip(drawn.hands, drawn.papayoo, strict=True))
    ]


class Mirror:
    """The same rounds, played by the rules, with one card at a time being passed."""

    def __init__(self, given: list[tuple[Board, int]]) -> None:
        self.rounds = [Round.deal(board, dealer) for board, dealer in given]
        self.chosen = [0] * len(given)

    def step(self, cards: NDArray[np.intp]) -> None:
        for number, (round_, card) in enumerate(zip(self.rounds, cards, strict=True)):
            if round_.phase is not Phase.PASS:
                round_.play(int(card))
                continue
            self.chosen[number] |= 1 << int(card)
            if self.chosen[number].bit_count() == round_.pass_count:
                round_.choose_pass(round_.turn, self.chosen[number])
                self.chosen[number] = 0

    def legal(self) -> list[int]:
        return [round_.legal() & ~chosen for round_, chosen in zip(self.rounds, self.chosen, strict=True)]


def sets(planes: NDArray[np.uint8]) -> list[int]:
    """Planes of cards as sets."""
    return [mask_of(map(int, np.flatnonzero(plane))) for plane in planes]


def played(players: int, seed: int = 3) -> Iterator[tuple[Batch, Mirror, Observation]]:
    """Yield every decision of some rounds, before it is made: at random, by both."""
    given = boards(players, ROUNDS)
    batch, mirror = Batch(ROUNDS, players, boards=Boards.of(given)), Mirror(given)
    random = np.random.default_rng(seed)
    for at in range(batch.decisions):
        seen = batch.observe()
        yield batch, mirror, seen
        cards = np.array([random.choice(np.flatnonzero(row)) for row in seen.legal])
        step = batch.step(cards)
        before = [list(round_.points) for round_ in mirror.rounds]
        mirror.step(cards)
        after = [list(round_.points) for round_ in mirror.rounds]
        assert (step.rewards == np.array(before) - np.array(after)).all()
        assert step.done == (at == batch.decisions - 1)
    assert step.points is not None
    assert step.points.tolist() == after
    assert (step.points.sum(axis=1) == POINTS_PER_ROUND).all()


@pytest.mark.parametrize("players", SIZES)
def test_every_decision_is_that_of_the_rules_and_shows_what_the_seat_may_know(players: int) -> None:
    for batch, mirror, seen in played(players):
        assert sets(seen.legal.view(np.uint8)) == mirror.legal()
        assert seen.seat.tolist() == [round_.turn for round_ in mirror.rounds]
        assert (batch.legal() == seen.legal).all()
        check_planes(mirror, seen, players)
        check_facts(mirror, seen, players)


def check_planes(mirror: Mirror, seen: Observation, players: int) -> None:
    """The planes are what the seat may know."""
    assert seen.planes.shape == (ROUNDS, len(PLANES) + players, CARDS)
    for number, round_ in enumerate(mirror.rounds):
        seat, found = round_.turn, sets(seen.planes[number])
        passing = round_.phase is Phase.PASS
        own = mirror.chosen[number] if passing else round_.passed[seat]
        assert found[:4] == [round_.hands[seat], mirror.legal()[number], own, round_.received[seat]]
        assert found[4] == mask_of(round_.trick)
        fell = [0] * players
        for leader, cards in [
            *((t.leader, t.cards) for t in round_.tricks),
            (round_.leader, round_.trick),
        ]:
            for place, card in enumerate(cards):
                fell[(leader + place) % players] |= 1 << card
        assert found[6:] == [fell[(seat + other) % players] for other in range(players)]
        led = [card for card in round_.trick if suit_of(card) == suit_of(round_.trick[0])]
        assert found[5] == (1 << max(led, key=rank_of) if led else 0)


def check_facts(mirror: Mirror, seen: Observation, players: int) -> None:
    """The facts are what the seat may know."""
    for number, round_ in enumerate(mirror.rounds):
        facts = dict(zip(fact_names(players), seen.facts[number].tolist(), strict=True))
        seat, passing = round_.turn, round_.phase is Phase.PASS
        assert facts["passing"] == passing
        assert facts["dealer"] == (round_.dealer - seat) % players
        assert [facts[f"points {other}"] for other in range(players)] == [
            round_.points[(seat + other) % players] for other in range(players)
        ]
        assert [facts[f"cards {other}"] for other in range(players)] == [
            round_.hands[(seat + other) % players].bit_count() for other in range(players)
        ]
        assert [facts[f"papayoo {suit}"] for suit in "SHDC"] == [
            int(round_.papayoo_suit == suit) for suit in range(4)
        ]
        if passing:
            assert facts["chosen so far"] == mirror.chosen[number].bit_count()
            continue
        assert (facts["trick"], facts["cards in the trick"]) == (round_.trick_number, len(round_.trick))
        assert facts["leader"] == (round_.leader - seat) % players
        led = suit_of(round_.trick[0]) if round_.trick else None
        assert [facts[f"led {suit}"] for suit in "SHDCP"] == [int(led == suit) for suit in range(5)]


def test_voids_are_those_that_were_shown() -> None:
    batch = mirror = seen = None
    for batch, mirror, seen in played(4):
        facts = [dict(zip(fact_names(batch.players), row.tolist(), strict=True)) for row in seen.facts]
        for number, round_ in enumerate(mirror.rounds):
            shown = set()
            if round_.phase is Phase.PLAY:
                for leader, cards in [
                    *((t.leader, t.cards) for t in round_.tricks),
                    (round_.leader, round_.trick),
                ]:
                    for place, card in enumerate(cards):
                        if suit_of(card) != suit_of(cards[0]):
                            shown.add(((leader + place - round_.turn) % 4, "SHDCP"[suit_of(cards[0])]))
            told = {
                (seat, suit) for seat in range(4) for suit in "SHDCP" if facts[number][f"void {seat} {suit}"]
            }
            assert told == shown
    assert seen is not None


def test_what_is_known_is_a_text_and_nothing_hidden_is_in_it() -> None:
    texts: set[str] = set()
    for batch, mirror, _ in played(3):
        for number, round_ in enumerate(mirror.rounds):
            text = batch.information(number)
            parts = dict(part.split(" ", 1) for part in text.split("; ")[1:4] if " " in part)
            assert len(parts["dealt"].split()) == batch.hand_size
            if round_.phase is Phase.PLAY:
                assert len(parts["received"].split()) == batch.pass_count
                fallen = text.split("; ")[5:]
                assert sum(len(part.split(": ")[1].split()) for part in fallen) == sum(
                    len(trick.cards) for trick in round_.tricks
                ) + len(round_.trick)
            texts.add(text)
    assert len(texts) == batch.decisions * ROUNDS, "each is another situation"


def test_an_illegal_card_is_refused_and_changes_nothing() -> None:
    batch = Batch(3, 4, seed=1)
    legal = batch.legal()
    cards = np.array([np.flatnonzero(row)[0] for row in legal])
    cards[1] = np.flatnonzero(~legal[1])[0]
    with pytest.raises(
        IllegalActionError, match=r"round 1: card \d+ is not legal; legal are [SHDCP]"
    ) as refused:
        batch.step(cards)
    assert refused.value.number == 1
    assert (batch.at, (batch.legal() == legal).all()) == (0, True)


def test_there_is_a_card_for_each_round() -> None:
    batch = Batch(3, 4, seed=1, checked=False)
    for cards in (np.array([5]), np.array(5), np.full((3, 1), 5), np.full(4, 5)):
        with pytest.raises(ValueError, match="one card for each of the 3 rounds, not the shape"):
            batch.step(cards)
    assert batch.at == 0


def test_new_rounds_begin_by_themselves_and_the_next_seat_deals() -> None:
    batch = Batch(2, 3, seed=5)
    first = batch.observe()
    for _ in range(batch.decisions):
        step = batch.step(np.argmax(batch.legal(), axis=1))
    assert step.done
    then = batch.observe()
    assert batch.at == 0
    assert (first.facts[0, 4], then.facts[0, 4]) == (0, 1)
    assert not (first.planes == then.planes).all()
    assert first.planes[:, 0].sum(axis=1).tolist() == then.planes[:, 0].sum(axis=1).tolist() == [20, 20]


def test_the_same_seed_deals_the_same_and_boards_begin_again_after_the_last() -> None:
    one, same, other = (Batch(4, 5, seed=seed).observe().planes for seed in (1, 1, 2))
    assert (one == same).all()
    assert not (one == other).all()
    given = boards(3, 2)
    batch = Batch(3, 3, boards=Boards.of(given))
    hands = [int(row) for row in batch._hands[:, 0]]
    expected = [board.hands_by_seat(dealer)[0] for board, dealer in given]
    assert hands == [expected[0], expected[1], expected[0]]


@pytest.mark.parametrize(
    ("rounds", "players", "words"), [(0, 4, "at least one round"), (1, 4, "the boards are for 3")]
)
def test_what_cannot_be_is_refused(rounds: int, players: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Batch(rounds, players, boards=Boards.of(boards(3, 1)))
    with pytest.raises(ValueError, match="3 to 8"):
        Batch(1, 9)
    with pytest.raises(ValueError, match="at least one board"):
        Boards.of([])
