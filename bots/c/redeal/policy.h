/* How every seat plays in a playout: as bots/python/sharp does, in about a tenth of a microsecond. */
#ifndef POLICY_H
#define POLICY_H

#include "game.h"

/* Fills the tables. Call it once, before anything else here. */
void prepare_policy(void);

/* The card that the seat whose turn it is plays, from what that seat may know: its hand, what was played,
 * and who could not follow. It does not look into the other hands. */
int policy_card(const Table *table);

/* How gladly each card of a hand is passed on, the higher the gladder: by card. */
void policy_badness(Cards hand, double badness[DECK]);

/* The cards of a hand that are passed. */
Cards policy_pass(Cards hand, int how_many);

#endif
