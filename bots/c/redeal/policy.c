/* Sharp's play in C: what a card may cost now against the danger of keeping it. See policy.h.
 *
 * The constants and formulas are those of bots/python/sharp/bot.py, which explains them.
 */
#include "policy.h"

#include <math.h>

static const double PLAIN_RANK = 2.4, PLAIN_LONG = 1.0;
static const float LATER = 0.5f, KEEP_PAPAYOO = 25.0f, KEEP_CATCHER = 6.0f, KEEP_PLAIN = 11.0f;
static const float KEEP_PAYOO = 8.0f, KEEP_PAYOO_RANK = 0.3f, THROWN = 0.8f, CAUGHT = 20.0f;

/* The chance that a seat has none of so many cards: [players][unseen cards in all][those cards]. */
static float none_of[MAX_PLAYERS + 1][DECK + 1][MAX_HAND + 1];
static int rank_sum[1 << 10]; /* of a set of the ranks 1 to 10 */

void prepare_policy(void) {
    for (int players = 3; players <= MAX_PLAYERS; players++)
        for (int all = 1; all <= DECK; all++)
            for (int some = 0; some <= MAX_HAND && some <= all; some++)
                none_of[players][all][some] = (float)pow(1.0 - (double)some / all, (double)all / (players - 1));
    for (int set = 1; set < 1 << 10; set++)
        rank_sum[set] = rank_sum[set & (set - 1)] + __builtin_ctz((unsigned)set) + 1;
}

/* What one decision looks like to the seat that makes it. */
typedef struct {
    const Table *table;
    const float *none; /* none_of, for what is unseen now */
    Cards unseen;      /* in the other hands */
    int later;         /* seats that play to this trick after this one */
    float thrown;      /* points that a seat throws when it cannot follow */
} View;

static int payoo_ranks(Cards cards) {
    int low = (int)(cards >> 40 & 1023), high = (int)(cards >> 50 & 1023);
    return rank_sum[low] + rank_sum[high] + 10 * count((Cards)high);
}

static View view_of(const Table *table) {
    View view = {.table = table, .unseen = table->out & ~table->hands[table->turn]};
    int all = count(view.unseen), many = 0, sum = 0;
    view.none = none_of[table->players][all ? all : 1];
    view.later = table->players - 1 - table->played;
    for (Cards payoos = view.unseen & suit_cards(PAYOO); payoos && many < 4; many++) {
        int card = highest(payoos);
        payoos &= ~one(card);
        sum += rank_of(card);
    }
    view.thrown = many ? THROWN * (float)sum / (float)many : 0.0f;
    return view;
}

/* Of the seats that still play to this trick, those that are known to be void in a suit. */
static int void_later(const View *view, int suit) {
    int found = 0, seat = view->table->turn;
    for (int i = 0; i < view->later; i++) {
        seat = next_seat(view->table, seat);
        found += view->table->voids[seat] >> suit & 1;
    }
    return found;
}

static int catches_papayoo(const View *view, int card, int suit) {
    int papayoo = view->table->papayoo;
    return card > papayoo && suit == suit_of(papayoo) && (view->unseen & one(papayoo)) != 0;
}

/* The points to expect of the trick when this card, which is winning so far, is played. */
static float cost_of_taking(const View *view, int card, int suit) {
    Cards unseen = view->unseen & suit_cards(suit), lower = unseen & (one(card) - 1);
    float is_void = view->none[count(unseen)], none_lower = view->none[count(lower)], followed = 0.0f;
    if (suit == PAYOO && lower)
        followed = (1.0f - is_void) * (float)payoo_ranks(lower) / (float)count(lower);
    else if (catches_papayoo(view, card, suit))
        followed = CAUGHT / (float)count(unseen);
    int voids = void_later(view, suit), others = view->later - voids;
    float chance = 1.0f, under = 1.0f - (none_lower - is_void); /* a seat goes over only if it has nothing lower */
    for (int i = 0; i < others; i++) chance *= under;
    float to_come = (float)voids * view->thrown + (float)others * (is_void * view->thrown + followed);
    float in_trick = view->table->played ? (float)view->table->pot : 0.0f;
    return chance * (in_trick + (float)points_of(card, view->table->papayoo) + to_come);
}

/* About how many points it may cost to keep a card. */
static float danger(const View *view, int card, int suit) {
    if (card == view->table->papayoo) return KEEP_PAPAYOO;
    Cards unseen = view->unseen & suit_cards(suit), lower = unseen & (one(card) - 1);
    float below = unseen ? (float)count(lower) / (float)count(unseen) : 0.0f;
    if (suit == PAYOO) return KEEP_PAYOO * below + KEEP_PAYOO_RANK * (float)(card - 39);
    if (!unseen) return -1.0f; /* only a lead of our own can bring this suit up again */
    return KEEP_PLAIN * below + (catches_papayoo(view, card, suit) ? KEEP_CATCHER : 0.0f);
}

int policy_card(const Table *table) {
    Cards legal = legal_cards(table);
    if ((legal & (legal - 1)) == 0) return lowest(legal);
    View view = view_of(table);
    int led = table->played ? suit_of(table->best) : -1, chosen = -1;
    float least = 0.0f;
    for (; legal; legal &= legal - 1) {
        int card = lowest(legal), suit = suit_of(card);
        float cost = -LATER * danger(&view, card, suit);
        if (led < 0 || (suit == led && card > table->best)) cost += cost_of_taking(&view, card, suit);
        if (chosen < 0 || cost < least) chosen = card, least = cost;
    }
    return chosen;
}

void policy_badness(Cards hand, double badness[DECK]) {
    for (Cards rest = hand; rest; rest &= rest - 1) {
        int card = lowest(rest), suit = suit_of(card);
        if (suit == PAYOO) badness[card] = rank_of(card);
        else badness[card] = PLAIN_RANK * rank_of(card) - PLAIN_LONG * count(hand & suit_cards(suit));
    }
}

Cards policy_pass(Cards hand, int how_many) {
    double badness[DECK];
    Cards passed = 0;
    policy_badness(hand, badness);
    while (how_many--) {
        int worst = -1;
        for (Cards rest = hand & ~passed; rest; rest &= rest - 1) { /* of equals the last, as Sharp does */
            int card = lowest(rest);
            if (worst < 0 || badness[card] >= badness[worst]) worst = card;
        }
        passed |= one(worst);
    }
    return passed;
}
