/* Chooses by playing on: deals the hidden cards again and again, and plays each choice to the end of the round.
 *
 * How much is played follows from the time that the question allows, counted in cards, not in seconds: a fixed,
 * cautious number for each millisecond. So the same questions after the same seed have the same answers, as long
 * as this machine manages that number in the time. The clock only cuts the search short when it does not: where
 * half of the time is gone, or where others were given the processor for so long that a few more such stalls would
 * make the answer late.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "chance.h"
#include "deal.h"
#include "game.h"

/* What a search may use up. */
typedef struct {
    int64_t cards;         /* to play in playouts */
    int64_t end, deadline; /* on the clock of now_us: of the question's time, and of the search's share of it */
    int64_t looked;        /* when the clock was last looked at */
} Effort;

/* Microseconds on a clock that only goes forward. */
int64_t now_us(void);

/* What may be spent on a question that came at `since` and allows so many milliseconds. The bank is left alone:
 * it is for the machine's whims, not for thinking. */
Effort effort_for(int64_t since, int64_t move_ms, int passing);

/* The card to play: `table` as my seat sees it, the other hands empty; `seen`: what it knows about them. */
int search_card(const Table *table, const Seen *seen, Chance *chance, Effort *effort);

/* The cards to pass, of this hand. */
Cards search_pass(int players, int me, int dealer, Cards hand, Chance *chance, Effort *effort);

#endif
