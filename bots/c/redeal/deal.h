/* Deals the hidden cards again, in every way that fits what a seat has seen. */
#ifndef DEAL_H
#define DEAL_H

#include "chance.h"
#include "game.h"

/* What a seat knows about the other hands. */
typedef struct {
    int players, me;
    int held[MAX_PLAYERS];       /* by seat, how many cards it holds */
    Cards known[MAX_PLAYERS];    /* by seat, cards it is known to hold: what I passed to it and it has not played */
    Cards possible[MAX_PLAYERS]; /* by seat, the cards of all suits in which it is not known to be void */
    Cards hidden;                /* all cards in the other hands, the known ones included */
} Seen;

/* Whether the numbers of cards agree, which they do if nothing was missed. */
int seen_agrees(const Seen *seen);

/* One way to deal the hidden cards, at random: fills the hands of all seats but mine. Where what is seen
 * cannot be (it always can if nothing was missed), voids are forgotten until it can. */
void deal_hidden(const Seen *seen, Chance *chance, Cards hands[MAX_PLAYERS]);

#endif
