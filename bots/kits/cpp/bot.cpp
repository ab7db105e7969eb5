// @NAME@, a bot for Papayoo. The two functions are yours to change; papayoo.hpp does the talking.
//
// A Card has a suit, 'S', 'H', 'D', 'C' or 'P', and a rank, 1 to 10, of P (Payoo) 1 to 20. A Payoo costs its
// rank, the 7 of the suit that the die shows 40, and the fewest points win.
//
// Both functions are given a Question, which holds all that is needed to answer it:
//
//     seat            yours; seats are numbered clockwise from 0, there are `players` of them
//     hand            your cards, sorted by suit and rank
//     round, dealer   the round, counted from 0, and the seat that deals and leads to the first trick
//     scores          card points of the earlier rounds, by seat
//     events          what happened since the last question, see Event in papayoo.hpp
//     move_ms, bank_ms                the time you have, in milliseconds
//     table, players, rounds, seed    of this match
//
// What you write to std::cout or std::cerr goes to standard error, which is kept for you.
#include "papayoo.hpp"

#include <algorithm>

using papayoo::Card, papayoo::Cards, papayoo::Question;

static bool lower(Card one, Card other) { return one.rank < other.rank; }

// The cards to pass to the left neighbour (seat + 1): exactly question.count of the hand.
static Cards choose_pass(const Question& question) {
    Cards sorted = question.hand;
    std::stable_sort(sorted.begin(), sorted.end(), lower);
    return Cards(sorted.end() - question.count, sorted.end());  // the highest ones
}

// The card to play: one of question.legal. A question to play has besides:
//
//     trick               the cards of this trick so far, the leader's first; empty if you lead
//     leader, trick_number
//     papayoo_suit        'S', 'H', 'D' or 'C': the 7 of it costs 40, see points() in papayoo.hpp
//     received, passed    the cards of this round's pass
//     points              card points of this round so far, by seat
static Card choose_card(const Question& question) {
    const Cards& legal = question.legal;
    if (!question.trick.empty()) {
        const Card best = papayoo::winner(question.trick);
        Cards below;
        for (Card card : legal)
            if (card.suit == best.suit && card.rank < best.rank) below.push_back(card);
        if (!below.empty())  // the highest that does not take the trick
            return *std::max_element(below.begin(), below.end(), lower);
    }
    return *std::min_element(legal.begin(), legal.end(), lower);
}

int main() { return papayoo::run("@NAME@", choose_pass, choose_card); }
