/* The search. See search.h.
 *
 * All options are tried in the same guessed deals ("worlds"), so their differences are far surer than their
 * means. After every few worlds, options that are clearly worse than the best are dropped, and what they would
 * have used goes to the others.
 */
#define _POSIX_C_SOURCE 200809L
#include "search.h"

#include <math.h>
#include <time.h>

#include "policy.h"

enum {
    CARDS_PER_MS = 60,       /* to play for a card; one core of 2020 plays 3,000 */
    PASS_CARDS_PER_MS = 300, /* to play for a pass, of which there is one in a round */
    LONGEST_MS = 1000,       /* more time than this is not used: it would gain next to nothing */
    MAX_OPTIONS = 256,
    MAX_WORLDS = 4096,
    WORLDS_A_LAP = 16, /* between two times that options are dropped */
    FEW_WORLDS = 4,
    PASS_FROM = 9, /* of the cards that Sharp would most gladly pass, how many to try in all combinations */
};
static const double CLEARLY = 1.5; /* an option is dropped when it is worse by so many standard errors */
static const double BETTER = 1.4;  /* and is preferred to Sharp's choice when it is better by so many */
static const double SHARE = 0.5;   /* of the time of a question; the rest is for a machine that is busy */
static const int64_t RESERVE_US = 10000;  /* off that, for reading and writing */
static const int64_t SHORT_GAP_US = 3000; /* a gap between two looks at the clock that means nothing */
static const int64_t STALLS_LEFT = 6;

int64_t now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The longest time that the machine lately gave to others while a search was on: how busy it is. */
static int64_t stall_us;

Effort effort_for(int64_t since, int64_t move_ms, int passing) {
    int64_t useful_ms = move_ms < LONGEST_MS ? move_ms : LONGEST_MS;
    stall_us -= stall_us / 8; /* it may be over */
    return (Effort){
        .cards = useful_ms * (passing ? PASS_CARDS_PER_MS : CARDS_PER_MS),
        .end = since + 1000 * move_ms - RESERVE_US,
        .deadline = since + (int64_t)(SHARE * 1000.0 * (double)move_ms) - RESERVE_US,
        .looked = since,
    };
}

/* Whether the search must end: its share of the time is used up, or what is left of the time of the question
 * does not hold several more stalls like the longest lately. */
static int time_is_up(Effort *effort) {
    int64_t now = now_us(), gap = now - effort->looked;
    effort->looked = now;
    if (gap > stall_us && gap > SHORT_GAP_US) stall_us = gap;
    return now > effort->deadline || now > effort->end - STALLS_LEFT * stall_us;
}

/* Plays the round out and returns the points of a seat; -1 when the time is over. */
static int play_out(Table *table, int me, Effort *effort) {
    effort->cards -= table->cards_left;
    if (time_is_up(effort)) return -1;
    while (table->cards_left) play(table, policy_card(table));
    return table->points[me];
}

/* ------------------------------------------------------------------ the race of the options */

/* What is chosen among, and what each option came to in each world. */
typedef struct {
    int size, worlds;
    Cards option[MAX_OPTIONS];
    int16_t points[MAX_OPTIONS][MAX_WORLDS];
} Race;

/* A way to make worlds and to try options in them. */
typedef struct Game {
    void (*new_world)(struct Game *game);
    int (*outcome)(struct Game *game, Cards option, Effort *effort); /* -1: out of time */
    const Seen *seen;
    Chance *chance;
    const Table *table; /* of a card: as my seat sees it */
    int dealer;         /* of a pass */
    Table world;
    Cards hands[MAX_PLAYERS], passed[MAX_PLAYERS]; /* of a pass: the hands dealt, and what the others pass */
} Game;

static double mean_of(const Race *race, int option) {
    double sum = 0.0;
    for (int world = 0; world < race->worlds; world++) sum += race->points[option][world];
    return race->worlds ? sum / race->worlds : 0.0;
}

static int best_of(const Race *race) {
    int best = 0;
    double least = mean_of(race, 0);
    for (int option = 1; option < race->size; option++) {
        double mean = mean_of(race, option);
        if (mean < least) best = option, least = mean;
    }
    return best;
}

/* Whether an option is worse than the best by more than so many standard errors of the difference. */
static int is_worse(const Race *race, int option, int best, double errors) {
    double sum = 0.0, squares = 0.0, worlds = race->worlds;
    for (int world = 0; world < race->worlds; world++) {
        double difference = race->points[option][world] - race->points[best][world];
        sum += difference;
        squares += difference * difference;
    }
    double mean = sum / worlds, variance = (squares - sum * mean) / (worlds - 1.0) + 1.0;
    return mean > errors * sqrt(variance / worlds);
}

static void drop_worse(Race *race) {
    int best = best_of(race), kept = 0, drop[MAX_OPTIONS];
    for (int option = 0; option < race->size; option++) drop[option] = is_worse(race, option, best, CLEARLY);
    for (int option = 0; option < race->size; option++) {
        if (drop[option]) continue;
        race->option[kept] = race->option[option];
        if (kept != option)
            for (int world = 0; world < race->worlds; world++)
                race->points[kept][world] = race->points[option][world];
        kept++;
    }
    race->size = kept;
}

/* Tries all options in one more world; 0 if the time did not suffice, and then the world does not count. */
static int run_world(Race *race, Game *game, Effort *effort) {
    game->new_world(game);
    for (int option = 0; option < race->size; option++) {
        int points = game->outcome(game, race->option[option], effort);
        if (points < 0) return 0;
        race->points[option][race->worlds] = (int16_t)points;
    }
    race->worlds++;
    return 1;
}

/* The best option. The first one, which is what Sharp would choose, is taken unless another is better by more
 * than chance explains: in a few worlds some option always looks good. */
static Cards run_race(Race *race, Game *game, Effort *effort) {
    Cards first = race->option[0];
    while (race->size > 1 && effort->cards > 0 && race->worlds < MAX_WORLDS) {
        if (!run_world(race, game, effort)) break;
        if (race->worlds % WORLDS_A_LAP == 0) drop_worse(race);
    }
    int best = best_of(race), in_doubt = race->worlds < FEW_WORLDS || !is_worse(race, 0, best, BETTER);
    return race->option[0] == first && in_doubt ? first : race->option[best];
}

/* ------------------------------------------------------------------ a card */

static void new_hands(Game *game) {
    game->world = *game->table;
    deal_hidden(game->seen, game->chance, game->world.hands);
}

static int outcome_of_card(Game *game, Cards option, Effort *effort) {
    Table table = game->world;
    play(&table, lowest(option));
    return play_out(&table, game->seen->me, effort);
}

/* Whether a card is as good as the next lower one in the hand: nothing lies between, and both score nothing. */
static int same_as_lower(const Table *table, Cards legal, int card, Cards between) {
    Cards lower = legal & suit_cards(suit_of(card)) & (one(card) - 1);
    if (!lower || points_of(card, table->papayoo)) return 0;
    int next = highest(lower);
    return !points_of(next, table->papayoo) && !(between & (one(card) - 1) & ~((one(next) << 1) - 1));
}

int search_card(const Table *table, const Seen *seen, Chance *chance, Effort *effort) {
    static Race race;
    Cards legal = legal_cards(table), between = table->out & ~table->hands[seen->me];
    int first = policy_card(table);
    if (table->played) between |= one(table->best);
    race.size = race.worlds = 0;
    race.option[race.size++] = one(first);
    for (Cards rest = legal & ~one(first); rest; rest &= rest - 1)
        if (!same_as_lower(table, legal, lowest(rest), between)) race.option[race.size++] = one(lowest(rest));
    if (race.size == 1 || !seen_agrees(seen)) return first;
    Game game = {.new_world = new_hands, .outcome = outcome_of_card, .seen = seen, .chance = chance, .table = table};
    return lowest(run_race(&race, &game, effort));
}

/* ------------------------------------------------------------------ a pass */

/* All hands as they were dealt, what the others pass of them, and the die. */
static void new_deal(Game *game) {
    int players = game->seen->players;
    deal_hidden(game->seen, game->chance, game->hands);
    for (int seat = 0; seat < players; seat++)
        if (seat != game->seen->me) game->passed[seat] = policy_pass(game->hands[seat], pass_count(players));
    game->world = (Table){
        .players = players,
        .papayoo = first_of(draw(game->chance, PAYOO)) + 6,
        .turn = game->dealer,
        .cards_left = count(deck(players)),
        .out = deck(players),
    };
}

static int outcome_of_pass(Game *game, Cards option, Effort *effort) {
    Table table = game->world;
    game->passed[game->seen->me] = option;
    for (int seat = 0; seat < table.players; seat++) {
        int right = seat ? seat - 1 : table.players - 1;
        table.hands[seat] = (game->hands[seat] & ~game->passed[seat]) | game->passed[right];
    }
    return play_out(&table, game->seen->me, effort);
}

/* All ways to choose from the cards that are worst to keep, Sharp's choice first. */
static void list_passes(Race *race, Cards hand, int how_many) {
    int cards[MAX_HAND], among = 0;
    for (Cards chosen = 0; among < PASS_FROM && hand & ~chosen; chosen |= one(cards[among++]))
        cards[among] = lowest(policy_pass(hand, among + 1) & ~chosen);
    race->size = race->worlds = 0;
    for (unsigned set = 1; set < 1u << among; set++) { /* ascending: the lowest how_many bits come first */
        if (count(set) != how_many || race->size == MAX_OPTIONS) continue;
        Cards option = 0;
        for (unsigned rest = set; rest; rest &= rest - 1) option |= one(cards[lowest(rest)]);
        race->option[race->size++] = option;
    }
}

Cards search_pass(int players, int me, int dealer, Cards hand, Chance *chance, Effort *effort) {
    static Race race;
    Seen seen = {.players = players, .me = me, .hidden = deck(players) & ~hand};
    for (int seat = 0; seat < players; seat++) {
        seen.held[seat] = hand_size(players);
        seen.possible[seat] = deck(players);
    }
    Game game = {.new_world = new_deal, .outcome = outcome_of_pass, .seen = &seen, .chance = chance, .dealer = dealer};
    game.hands[me] = hand;
    list_passes(&race, hand, pass_count(players));
    return run_race(&race, &game, effort);
}
