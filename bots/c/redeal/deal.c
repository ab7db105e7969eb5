/* Deals the hidden cards again. See deal.h.
 *
 * Each card goes to a seat that can hold it, those with the fewest such seats first. Where all of these are
 * full, a card that was dealt before makes way (an augmenting path, so a deal is found if there is one).
 * Dealing like this favours some deals over others, so many random exchanges that keep every void follow:
 * in the end all deals are about equally likely.
 */
#include "deal.h"

typedef struct {
    const Seen *seen;
    Chance *chance;
    int size;                  /* of the two lists */
    int card[DECK], seat[DECK]; /* the hidden cards that are not known, and who gets them; -1: nobody yet */
    int room[MAX_PLAYERS];
} Deal;

static int can_hold(const Deal *deal, int seat, int card) {
    return seat != deal->seen->me && (deal->seen->possible[seat] & one(card)) != 0;
}

int seen_agrees(const Seen *seen) {
    int held = 0;
    for (int seat = 0; seat < seen->players; seat++)
        if (seat != seen->me) {
            held += seen->held[seat];
            if (count(seen->known[seat]) > seen->held[seat] || (seen->known[seat] & ~seen->hidden)) return 0;
        }
    return held == count(seen->hidden);
}

static int choices(const Deal *deal, int card) {
    int found = 0;
    for (int seat = 0; seat < deal->seen->players; seat++) found += can_hold(deal, seat, card);
    return found;
}

/* Lists the cards to deal: in random order, but those with fewer choices first. */
static void list_cards(Deal *deal) {
    Cards unknown = deal->seen->hidden;
    int of[DECK];
    for (int seat = 0; seat < deal->seen->players; seat++) {
        if (seat == deal->seen->me) continue;
        unknown &= ~deal->seen->known[seat];
        deal->room[seat] = deal->seen->held[seat] - count(deal->seen->known[seat]);
    }
    deal->size = 0;
    for (; unknown; unknown &= unknown - 1) {
        int at = draw(deal->chance, deal->size + 1); /* an inside-out shuffle */
        deal->card[deal->size] = deal->card[at];
        deal->card[at] = lowest(unknown);
        deal->size++;
    }
    for (int i = 0; i < deal->size; i++) { /* an insertion sort, which keeps the order of equals */
        int card = deal->card[i], many = choices(deal, card), at = i;
        for (; at > 0 && of[at - 1] > many; at--) deal->card[at] = deal->card[at - 1], of[at] = of[at - 1];
        deal->card[at] = card, of[at] = many;
    }
}

/* A seat that can hold the card and has room, or -1. Each place in a hand is as likely as any other. */
static int seat_with_room(const Deal *deal, int card) {
    int places = 0;
    for (int seat = 0; seat < deal->seen->players; seat++)
        if (can_hold(deal, seat, card)) places += deal->room[seat];
    if (places == 0) return -1;
    int place = draw(deal->chance, places), seat = -1;
    while (place >= 0)
        if (can_hold(deal, ++seat, card)) place -= deal->room[seat];
    return seat;
}

/* Finds a seat for card number `which`, moving others if need be. `tried`: seats that it is no use to ask. */
static int find_seat(Deal *deal, int which, int *tried) {
    int card = deal->card[which], seat = seat_with_room(deal, card);
    if (seat >= 0) {
        deal->seat[which] = seat;
        deal->room[seat]--;
        return 1;
    }
    for (seat = 0; seat < deal->seen->players; seat++) {
        if (!can_hold(deal, seat, card) || *tried >> seat & 1) continue;
        *tried |= 1 << seat;
        for (int other = 0; other < deal->size; other++)
            if (deal->seat[other] == seat && find_seat(deal, other, tried)) {
                deal->seat[which] = seat; /* in the place of the other, so its room stays as it is */
                return 1;
            }
    }
    return 0;
}

static int deal_out(Deal *deal) {
    for (int i = 0; i < deal->size; i++) deal->seat[i] = -1;
    for (int i = 0; i < deal->size; i++) {
        int tried = 0;
        if (!find_seat(deal, i, &tried)) return 0;
    }
    return 1;
}

/* Exchanges two cards, or three in a ring, if all may go where they would. */
static void exchange(Deal *deal) {
    int i = draw(deal->chance, deal->size), j = draw(deal->chance, deal->size), k = draw(deal->chance, deal->size);
    int ring = draw(deal->chance, 4) == 0 && i != k && j != k;
    int a = deal->seat[i], b = deal->seat[j], c = ring ? deal->seat[k] : a;
    if (i == j || !can_hold(deal, b, deal->card[i]) || !can_hold(deal, c, deal->card[j])) return;
    if (ring && !can_hold(deal, a, deal->card[k])) return;
    deal->seat[i] = b, deal->seat[j] = c;
    if (ring) deal->seat[k] = a;
}

static int anything_void(const Seen *seen) {
    for (int seat = 0; seat < seen->players; seat++)
        if (seat != seen->me && (seen->hidden & ~seen->possible[seat])) return 1;
    return 0;
}

void deal_hidden(const Seen *seen, Chance *chance, Cards hands[MAX_PLAYERS]) {
    Seen lax = *seen;
    Deal deal = {.seen = &lax, .chance = chance};
    list_cards(&deal);
    if (!deal_out(&deal)) {
        for (int seat = 0; seat < seen->players; seat++) lax.possible[seat] = ~(Cards)0;
        list_cards(&deal);
        deal_out(&deal);
    } else if (anything_void(seen)) {
        for (int i = 0; i < 3 * deal.size; i++) exchange(&deal);
    }
    for (int seat = 0; seat < seen->players; seat++)
        if (seat != seen->me) hands[seat] = seen->known[seat];
    for (int i = 0; i < deal.size; i++) hands[deal.seat[i]] |= one(deal.card[i]);
}
