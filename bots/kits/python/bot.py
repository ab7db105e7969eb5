"""@NAME@, a bot for Papayoo. Change the two functions; papayoo_bot.py does the talking.

Cards are texts: "S7" is the seven of spades, "P20" the Payoo 20. The suits are S, H, D, C (ranks 1 to 10)
and P (1 to 20). A Payoo costs its rank, the 7 of the suit that the die shows 40, and the fewest points win.

Both functions get a question, a dict with all that is needed to answer it:

    players, seat   how many seats the table has, and yours; they are numbered clockwise from 0
    hand            your cards, sorted by suit and rank
    round, dealer   the round, counted from 0, and the seat that deals and leads to the first trick
    scores          card points of the earlier rounds, by seat
    events          what happened since the last message, see seer.py
    table, move_ms, bank_ms, id     the table, the time that you have in milliseconds, the question's id

What you print goes to standard error, which is kept for you.
"""

from __future__ import annotations

from papayoo_bot import PassQuestion, PlayQuestion, rank, run, winner


def choose_pass(question: PassQuestion) -> list[str]:
    """Return the cards to pass to the left neighbour (seat + 1): exactly question["count"] of the hand."""
    return sorted(question["hand"], key=rank)[-question["count"] :]  # the highest ones


def choose_card(question: PlayQuestion) -> str:
    """Return the card to play, one of question["legal"]. Such a question has further keys:

    trick               the cards of this trick so far, the leader's first; empty if you lead
    leader, trick_number
    papayoo_suit        "S", "H", "D" or "C": the 7 of it costs 40, see points() in papayoo_bot.py
    received, passed    the cards of this round's pass
    points              card points of this round so far, by seat
    """
    legal, trick = question["legal"], question["trick"]
    if trick:
        best = winner(trick)
        below = [card for card in legal if card[0] == best[0] and rank(card) < rank(best)]
        if below:
            return max(below, key=rank)  # the highest that does not take the trick
    return min(legal, key=rank)


if __name__ == "__main__":
    run("@NAME@", choose_pass, choose_card)
