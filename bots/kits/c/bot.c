/* @NAME@, a bot for Papayoo. The two functions are yours to change; papayoo.h does the talking.
 *
 * A Card has a suit, 'S', 'H', 'D', 'C' or 'P', and a rank, 1 to 10, of P (Payoo) 1 to 20. A Payoo costs its
 * rank, the 7 of the suit that the die shows 40, and the fewest points win.
 *
 * Both functions are given a Question, which holds all that is needed to answer it:
 *
 *     seat            yours; seats are numbered clockwise from 0, there are `players` of them
 *     hand            your cards, sorted by suit and rank: hand.at[0] to hand.at[hand.size - 1]
 *     round, dealer   the round, counted from 0, and the seat that deals and leads to the first trick
 *     scores          card points of the earlier rounds, by seat
 *     events          what happened since the last question: events_size of them, see Event in papayoo.h
 *     move_ms, bank_ms                the time you have, in milliseconds
 *     table, players, rounds, seed    of this match
 *
 * What you print goes to standard error, which is kept for you.
 */
#include "papayoo.h"

/* Sorts by rank, and keeps the order of equals. */
static void sort_by_rank(Cards *cards) {
    for (int i = 1; i < cards->size; i++) {
        Card card = cards->at[i];
        int to = i;
        for (; to > 0 && cards->at[to - 1].rank > card.rank; to--) cards->at[to] = cards->at[to - 1];
        cards->at[to] = card;
    }
}

/* The cards to pass to the left neighbour (seat + 1): exactly question->count of the hand. */
static Cards choose_pass(const Question *question) {
    Cards sorted = question->hand, chosen = {.size = question->count};
    sort_by_rank(&sorted);
    for (int i = 0; i < chosen.size; i++) chosen.at[i] = sorted.at[sorted.size - chosen.size + i];
    return chosen; /* the highest ones */
}

/* The card to play: one of question->legal. A question to play has besides:
 *
 *     trick               the cards of this trick so far, the leader's first; trick.size is 0 if you lead
 *     leader, trick_number
 *     papayoo_suit        'S', 'H', 'D' or 'C': the 7 of it costs 40, see points() in papayoo.h
 *     received, passed    the cards of this round's pass
 *     points              card points of this round so far, by seat
 */
static Card choose_card(const Question *question) {
    const Cards *legal = &question->legal, *trick = &question->trick;
    Card lowest = legal->at[0], below = {0, 0};
    for (int i = 1; i < legal->size; i++)
        if (legal->at[i].rank < lowest.rank) lowest = legal->at[i];
    if (trick->size == 0) return lowest;
    Card best = winner(trick);
    for (int i = 0; i < legal->size; i++) {
        Card card = legal->at[i];
        if (card.suit == best.suit && card.rank < best.rank && card.rank > below.rank) below = card;
    }
    return below.rank ? below : lowest; /* the highest that does not take the trick, if there is one */
}

int main(void) { return run("@NAME@", choose_pass, choose_card); }
