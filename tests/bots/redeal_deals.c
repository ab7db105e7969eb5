/* Deals with bots/c/redeal/deal.c, for test_redeal.py.
 *
 * Reads lines of numbers: seed, how many deals, players, my seat, hidden, then held, known and possible of each
 * seat. Writes a line for each deal, the hands by seat, mine as 0, or "disagrees".
 */
#include "deal.h"

#include <inttypes.h>
#include <stdio.h>

int main(void) {
    uint64_t seed;
    int deals;
    Seen seen;
    while (scanf("%" SCNu64 "%d%d%d%" SCNu64, &seed, &deals, &seen.players, &seen.me, &seen.hidden) == 5) {
        for (int seat = 0; seat < seen.players; seat++)
            if (scanf("%d%" SCNu64 "%" SCNu64, &seen.held[seat], &seen.known[seat], &seen.possible[seat]) != 3)
                return 1;
        if (!seen_agrees(&seen)) {
            puts("disagrees");
            continue;
        }
        Chance chance = chance_of(seed);
        while (deals--) {
            Cards hands[MAX_PLAYERS] = {0};
            deal_hidden(&seen, &chance, hands);
            for (int seat = 0; seat < seen.players; seat++) printf("%" PRIu64 " ", hands[seat]);
            puts("");
        }
    }
    return 0;
}
