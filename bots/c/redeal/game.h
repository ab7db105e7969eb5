/* The cards, and a table that plays a round on from any moment: the rules, without a check.
 *
 * A card is a number: S1-S10 are 0-9, H 10-19, D 20-29, C 30-39, P1-P20 (Payoo) 40-59. A set of cards is
 * a word with bit number `card` set for each card in it. Small functions are here so that they are inlined:
 * a search plays some ten million cards a second.
 */
#ifndef GAME_H
#define GAME_H

#include <stdint.h>

enum { SUITS = 5, PAYOO = 4, DECK = 60, MAX_PLAYERS = 8, MAX_HAND = 20, PAPAYOO_POINTS = 40 };

typedef uint64_t Cards;

static inline Cards one(int card) { return (Cards)1 << card; }
static inline int count(Cards cards) { return __builtin_popcountll(cards); }
static inline int lowest(Cards cards) { return __builtin_ctzll(cards); }      /* of at least one card */
static inline int highest(Cards cards) { return 63 - __builtin_clzll(cards); } /* of at least one card */
static inline int suit_of(int card) { return card < 40 ? card / 10 : PAYOO; }
static inline int first_of(int suit) { return 10 * suit; } /* the card with rank 1 */
static inline int rank_of(int card) { return card - first_of(suit_of(card)) + 1; }

static inline Cards suit_cards(int suit) {
    return (suit == PAYOO ? ((Cards)1 << 20) - 1 : ((Cards)1 << 10) - 1) << first_of(suit);
}

static inline int points_of(int card, int papayoo) {
    return card >= 40 ? card - 39 : card == papayoo ? PAPAYOO_POINTS : 0;
}

/* All cards that are dealt: with 7 and 8 players the plain ones are not. */
static inline Cards deck(int players) {
    Cards ones = one(0) | one(10) | one(20) | one(30), all = one(DECK) - 1;
    return players < 7 ? all : all & ~ones;
}

static inline int hand_size(int players) { return count(deck(players)) / players; }

static inline int pass_count(int players) { return players < 5 ? 5 : players == 5 ? 4 : 3; }

/* A round after the pass. Hands may be guesses; `out` is what all hands hold together. */
typedef struct {
    int players, papayoo; /* papayoo: the card, the 7 of the suit that was rolled */
    int turn, played;     /* who is to play, and how many have played to the trick */
    int best, taker, pot; /* of the trick: its best card, who played it, the points in it */
    int cards_left;       /* to be played in the round */
    Cards out;
    Cards hands[MAX_PLAYERS];
    int points[MAX_PLAYERS];
    uint8_t voids[MAX_PLAYERS]; /* by seat, a bit for each suit that it could not follow */
} Table;

static inline int next_seat(const Table *table, int seat) { return seat + 1 == table->players ? 0 : seat + 1; }

static inline Cards legal_cards(const Table *table) {
    Cards hand = table->hands[table->turn];
    if (table->played == 0) return hand;
    Cards following = hand & suit_cards(suit_of(table->best));
    return following ? following : hand;
}

/* The seat whose turn it is plays a card that is legal. */
static inline void play(Table *table, int card) {
    int seat = table->turn, suit = suit_of(card);
    table->hands[seat] &= ~one(card);
    table->out &= ~one(card);
    if (table->played == 0) {
        table->best = card, table->taker = seat, table->pot = 0;
    } else if (suit != suit_of(table->best)) {
        table->voids[seat] |= (uint8_t)(1 << suit_of(table->best));
    } else if (card > table->best) {
        table->best = card, table->taker = seat;
    }
    table->pot += points_of(card, table->papayoo);
    table->cards_left--;
    table->turn = next_seat(table, seat);
    if (++table->played == table->players) {
        table->points[table->taker] += table->pot;
        table->turn = table->taker;
        table->played = 0;
    }
}

#endif
