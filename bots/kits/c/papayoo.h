/* Talks to the arena, so that a bot need not: C without libraries, and nothing to change here.
 *
 *     int main(void) { return run("Mine", choose_pass, choose_card); }
 *
 * Question and Card are what a bot works with. The protocol is described in SPEC.md of the arena.
 */
#ifndef PAPAYOO_H
#define PAPAYOO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ what a bot sees */

typedef struct {
    char suit; /* S, H, D, C or P */
    int rank;  /* 1 to 10, of P 1 to 20 */
} Card;

typedef struct {
    int size;
    Card at[20];
} Cards;

typedef enum { PASSED, RECEIVED, DIE, PLAYED, TAKEN, OTHER } EventKind;

typedef struct {
    EventKind kind;
    int seat;
    Cards cards;   /* one for DIE (the Papayoo) and PLAYED */
    bool stand_in; /* about your own seat: the referee chose for you after a fault */
} Event;

typedef struct {
    int table, players, rounds;
    uint32_t seed; /* for your random numbers, so that your play can be repeated */
    int seat, round, dealer;
    Cards hand;
    int count; /* to pass: how many; from here to `points` only one kind of question has each */
    int trick_number, leader;
    char papayoo_suit; /* S, H, D or C */
    Cards legal, trick, received, passed;
    int points[8]; /* card points of this round so far, by seat */
    int scores[8]; /* card points of the earlier rounds, by seat */
    int move_ms, bank_ms;
    int events_size; /* what happened since the last question */
    Event events[64];
} Question;

typedef Cards ChoosePass(const Question *question);
typedef Card ChooseCard(const Question *question);

/* What a card costs who takes it: a Payoo its rank, the 7 of papayoo_suit 40, any other nothing. */
static inline int points(Card card, char papayoo_suit) {
    if (card.suit == 'P') return card.rank;
    return card.suit == papayoo_suit && card.rank == 7 ? 40 : 0;
}

/* The card that takes a trick, which has one at least: the highest of the suit that was led. */
static inline Card winner(const Cards *trick) {
    Card best = trick->at[0];
    for (int i = 1; i < trick->size; i++)
        if (trick->at[i].suit == best.suit && trick->at[i].rank > best.rank) best = trick->at[i];
    return best;
}

/* ------------------------------------------------------------------ reading a line
 * A message is a line: base64 of a msgpack map. Of msgpack the protocol uses nil, bool, int, str, array
 * and map. What does not fit into the first byte follows it, most significant byte first. */

enum { MAX_LINE = 65536, MAX_BYTES = MAX_LINE / 4 * 3, MAX_DEPTH = 8, MAX_ITEMS = 1024, MAX_KEYS = 64 };

typedef enum { NIL, BOOL, INT, STR, ARRAY, MAP } Kind;

typedef struct Value {
    Kind kind;
    int64_t number;            /* of BOOL and INT */
    uint32_t size;             /* bytes of STR, items of ARRAY, pairs of MAP */
    const char *text;          /* of STR, without a zero behind it */
    const struct Value *items; /* of ARRAY, and of MAP, where keys and values take turns */
} Value;

/* The line that is being read. Every value takes a byte at least, so the values always have room. */
static struct {
    uint8_t data[MAX_BYTES];
    size_t size, at; /* `at` is the index of the next byte */
    Value values[MAX_BYTES];
    size_t used;
    const char *why; /* it is refused; NULL while it is not */
} reader;

static inline uint64_t refuse(const char *why) {
    if (!reader.why) reader.why = why;
    return 0;
}

/* The next bytes; NULL if there are not so many. */
static inline const uint8_t *take(uint32_t count) {
    if (reader.why || count > reader.size - reader.at) {
        refuse("a message is cut short");
        return NULL;
    }
    reader.at += count;
    return reader.data + reader.at - count;
}

static inline uint64_t take_number(uint32_t bytes) {
    const uint8_t *part = take(bytes);
    uint64_t number = 0;
    for (uint32_t i = 0; part && i < bytes; i++) number = number << 8 | part[i];
    return number;
}

static inline bool is_utf8(const uint8_t *text, uint32_t size) {
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    for (uint32_t i = 0; i < size;) {
        uint8_t first = text[i++];
        if ((first >= 0x80 && first < 0xc0) || first >= 0xf8) return false;
        int more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        if ((uint32_t)more > size - i) return false;
        uint32_t code = more ? first & (0x3fu >> more) : first;
        for (int part = 0; part < more; part++, i++) {
            if (text[i] >> 6 != 2) return false;
            code = code << 6 | (text[i] & 0x3f);
        }
        if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    }
    return true;
}

static inline Value take_text(uint64_t size) {
    const uint8_t *text = take((uint32_t)size);
    if (text && !is_utf8(text, (uint32_t)size)) refuse("a string that is not UTF-8");
    return (Value){.kind = STR, .size = text ? (uint32_t)size : 0, .text = (const char *)text};
}

static inline Value take_int(uint32_t bytes, bool is_signed) {
    uint64_t raw = take_number(bytes);
    int unused = 64 - 8 * (int)bytes;
    int64_t number = is_signed ? (int64_t)(raw << unused) >> unused : (int64_t)raw;
    if (number >= INT64_C(1) << 53 || -number >= INT64_C(1) << 53 || (!is_signed && raw >> 53))
        refuse("an integer of 2^53 or more");
    return (Value){.kind = INT, .number = number};
}

static inline bool same(const Value *one, const Value *other) {
    return one->size == other->size && memcmp(one->text, other->text, one->size) == 0;
}

static Value take_value(int depth);

static inline Value take_items(Kind kind, uint64_t size, int depth) {
    if (depth > MAX_DEPTH || size > (kind == MAP ? MAX_KEYS : MAX_ITEMS)) refuse("too large, or too deep");
    size_t count = reader.why ? 0 : size * (kind == MAP ? 2 : 1);
    if (count > reader.size - reader.at) count = refuse("a message is cut short");
    Value *items = reader.values + reader.used;
    reader.used += count;
    for (size_t i = 0; i < count && !reader.why; i++) {
        items[i] = take_value(depth);
        if (kind == ARRAY || i % 2) continue;
        if (items[i].kind != STR) refuse("a key that is no string");
        for (size_t k = 0; k < i && !reader.why; k += 2)
            if (same(&items[k], &items[i])) refuse("a key that comes twice");
    }
    return (Value){.kind = kind, .size = (uint32_t)size, .items = items};
}

static inline Value take_value(int depth) {
    uint8_t first = (uint8_t)take_number(1);
    if (reader.why) return (Value){.kind = NIL};
    if (first < 0x80) return (Value){.kind = INT, .number = first};
    if (first < 0x90) return take_items(MAP, first & 0x0f, depth + 1);
    if (first < 0xa0) return take_items(ARRAY, first & 0x0f, depth + 1);
    if (first < 0xc0) return take_text(first & 0x1f);
    if (first >= 0xe0) return (Value){.kind = INT, .number = first - 0x100};
    if (first == 0xc0) return (Value){.kind = NIL};
    if (first == 0xc2 || first == 0xc3) return (Value){.kind = BOOL, .number = first & 1};
    if (first >= 0xcc && first <= 0xcf) return take_int(1u << (first - 0xcc), false);
    if (first >= 0xd0 && first <= 0xd3) return take_int(1u << (first - 0xd0), true);
    if (first >= 0xd9 && first <= 0xdb) return take_text(take_number(1u << (first - 0xd9)));
    if (first == 0xdc || first == 0xdd) return take_items(ARRAY, take_number(2u << (first - 0xdc)), depth + 1);
    if (first == 0xde || first == 0xdf) return take_items(MAP, take_number(2u << (first - 0xde)), depth + 1);
    refuse("a msgpack type that is not part of the protocol");
    return (Value){.kind = NIL};
}

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Fills reader.data. */
static inline void from_base64(const char *line, size_t size) {
    size_t padding = size && line[size - 1] == '=' ? 1 + (size > 1 && line[size - 2] == '=') : 0;
    uint32_t bits = 0;
    if (size == 0 || size % 4 || size >= MAX_LINE) refuse("not a line of base64");
    for (size_t i = 0; i < size && !reader.why; i++) {
        const char *digit = i < size - padding ? memchr(DIGITS, line[i], 64) : DIGITS;
        if (!digit) refuse("not a line of base64");
        else bits = bits << 6 | (uint32_t)(digit - DIGITS);
        if (i % 4 == 3)
            for (int shift = 16; shift >= 0; shift -= 8) reader.data[reader.size++] = (uint8_t)(bits >> shift);
    }
    if (!reader.why) reader.size -= padding;
}

/* The map in a line, good until the next is read; NULL, and reader.why, if it is refused. */
static inline const Value *decode(const char *line, size_t size) {
    static Value message;
    reader.size = reader.at = reader.used = 0;
    reader.why = NULL;
    if (size && line[size - 1] == '\n') size--;
    if (size && line[size - 1] == '\r') size--;
    from_base64(line, size);
    message = take_value(0);
    if (!reader.why && (message.kind != MAP || reader.at != reader.size)) refuse("a message is exactly one map");
    return reader.why ? NULL : &message;
}

static inline bool is(const Value *value, const char *text) {
    return value && value->kind == STR && value->size == strlen(text) && memcmp(value->text, text, value->size) == 0;
}

/* The value of a key; NULL if it is absent. */
static inline const Value *get(const Value *map, const char *key) {
    for (uint32_t i = 0; i < map->size; i++)
        if (is(&map->items[2 * i], key)) return &map->items[2 * i + 1];
    return NULL;
}

/* ------------------------------------------------------------------ writing a line */

static struct {
    uint8_t data[MAX_BYTES];
    size_t size;
} writer;

static inline void put(uint8_t byte) { if (writer.size < MAX_BYTES) writer.data[writer.size++] = byte; }

static inline void put_number(uint8_t first, uint64_t number, int bytes) {
    put(first);
    while (bytes--) put((uint8_t)(number >> 8 * bytes));
}

/* How a STR, an ARRAY or a MAP begins. */
static inline void put_head(Kind kind, uint32_t size) {
    uint8_t fix = kind == STR ? 0xa0 : kind == ARRAY ? 0x90 : 0x80;
    uint8_t wide = kind == STR ? 0xda : kind == ARRAY ? 0xdc : 0xde;
    if (size < (kind == STR ? 32 : 16)) put((uint8_t)(fix + size));
    else if (kind == STR && size < 256) put_number(0xd9, size, 1);
    else if (size < 65536) put_number(wide, size, 2);
    else put_number((uint8_t)(wide + 1), size, 4);
}

static inline void put_int(int64_t number) {
    if (number >= -32 && number < 128) {
        put((uint8_t)number);
        return;
    }
    int wide = 0;
    while (wide < 3 && (number < 0 ? -(number + 1) >> ((8 << wide) - 1) : number >> (8 << wide))) wide++;
    put_number((uint8_t)((number < 0 ? 0xd0 : 0xcc) + wide), (uint64_t)number, 1 << wide);
}

static inline void put_bytes(const char *text, uint32_t size) {
    put_head(STR, size);
    for (uint32_t i = 0; i < size; i++) put((uint8_t)text[i]);
}

static inline void put_text(const char *text) { put_bytes(text, (uint32_t)strlen(text)); }

/* Writes what was put as a line. */
static inline void send_line(FILE *to) {
    size_t size = writer.size;
    put(0), put(0); /* so that the last group of three is complete */
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)writer.data[i] << 16 | (uint32_t)writer.data[i + 1] << 8 | writer.data[i + 2];
        putc(DIGITS[bits >> 18], to);
        putc(DIGITS[bits >> 12 & 63], to);
        putc(i + 1 < size ? DIGITS[bits >> 6 & 63] : '=', to);
        putc(i + 2 < size ? DIGITS[bits & 63] : '=', to);
    }
    putc('\n', to);
    fflush(to);
    writer.size = 0;
}

/* ------------------------------------------------------------------ the conversation */

static inline int to_int(const Value *value) { return value && value->kind == INT ? (int)value->number : 0; }

static inline Card to_card(const Value *value) {
    Card card = {0, 0};
    if (!value || value->kind != STR || value->size == 0) return card;
    card.suit = value->text[0];
    for (uint32_t i = 1; i < value->size; i++) card.rank = 10 * card.rank + (value->text[i] - '0');
    return card;
}

static inline Cards to_cards(const Value *value) {
    Cards cards = {.size = 0};
    if (value && value->kind == ARRAY)
        while (cards.size < 20 && cards.size < (int)value->size) {
            cards.at[cards.size] = to_card(&value->items[cards.size]);
            cards.size++;
        }
    return cards;
}

static inline void to_ints(const Value *value, int by_seat[8]) {
    for (uint32_t i = 0; i < 8; i++)
        by_seat[i] = value && value->kind == ARRAY && i < value->size ? to_int(&value->items[i]) : 0;
}

static inline Event to_event(const Value *map) {
    static const char *kinds[] = {"passed", "received", "die", "played", "taken"};
    Event event = {.kind = OTHER, .seat = to_int(get(map, "seat")), .cards = to_cards(get(map, "cards"))};
    for (int kind = 0; kind < OTHER; kind++)
        if (is(get(map, "event"), kinds[kind])) event.kind = (EventKind)kind;
    if (get(map, "card")) event.cards = (Cards){1, {to_card(get(map, "card"))}};
    event.stand_in = is(get(map, "by"), "stand_in");
    return event;
}

/* Takes over what a message says; what only `start` tells stays from there. */
static inline void read_question(Question *question, const Value *message) {
    question->seat = to_int(get(message, "seat"));
    question->round = to_int(get(message, "round"));
    question->dealer = to_int(get(message, "dealer"));
    question->hand = to_cards(get(message, "hand"));
    question->count = to_int(get(message, "count"));
    question->trick_number = to_int(get(message, "trick_number"));
    question->leader = to_int(get(message, "leader"));
    const Value *suit = get(message, "papayoo_suit");
    question->papayoo_suit = to_card(suit).suit;
    question->legal = to_cards(get(message, "legal"));
    question->trick = to_cards(get(message, "trick"));
    question->received = to_cards(get(message, "received"));
    question->passed = to_cards(get(message, "passed"));
    to_ints(get(message, "points"), question->points);
    to_ints(get(message, "scores"), question->scores);
    question->move_ms = to_int(get(message, "move_ms"));
    question->bank_ms = to_int(get(message, "bank_ms"));
    const Value *events = get(message, "events");
    question->events_size = 0;
    for (uint32_t i = 0; events && events->kind == ARRAY && i < events->size && i < 64; i++)
        if (events->items[i].kind == MAP) question->events[question->events_size++] = to_event(&events->items[i]);
}

static inline void read_start(Question *question, const Value *message) {
    const Value *seed = get(message, "seed");
    question->table = to_int(get(message, "table"));
    question->players = to_int(get(message, "players"));
    question->rounds = to_int(get(message, "rounds"));
    question->seed = seed ? (uint32_t)seed->number : 0;
}

static inline void put_answer(const char *type, const Value *id, uint32_t pairs) {
    put_head(MAP, pairs);
    put_text("type");
    put_text(type);
    put_text("id");
    put_bytes(id ? id->text : "", id ? id->size : 0);
}

static inline void put_card(Card card) {
    char text[16];
    snprintf(text, sizeof text, "%c%d", card.suit, card.rank);
    put_text(text);
}

static inline void put_ready(const Value *id, const char *name) {
    const char *pairs[] = {"name", name, "version", "1", "language", "C"};
    put_answer("ready", id, 5);
    for (int i = 0; i < 6; i++) put_text(pairs[i]);
}

static inline void put_cards(const Value *id, Cards cards) {
    put_answer("cards", id, 3);
    put_text("cards");
    put_head(ARRAY, (uint32_t)cards.size);
    for (int i = 0; i < cards.size; i++) put_card(cards.at[i]);
}

/* Answers questions until the arena says bye or closes the pipe; what main returns. Standard output belongs
 * to the arena, so what a bot prints goes to standard error. */
static inline int run(const char *name, ChoosePass *choose_pass, ChooseCard *choose_card) {
    static char line[MAX_LINE + 1];
    static Question question;
    FILE *arena = fdopen(dup(STDOUT_FILENO), "w");
    if (!arena || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;
    while (fgets(line, sizeof line, stdin)) {
        const Value *message = decode(line, strlen(line));
        if (!message) {
            fprintf(stderr, "a line is refused: %s\n", reader.why);
            return 1;
        }
        const Value *type = get(message, "type"), *id = get(message, "id");
        if (is(type, "bye")) return 0;
        if (is(type, "start")) read_start(&question, message);
        if (is(type, "pass") || is(type, "play")) read_question(&question, message);
        if (is(type, "hello")) put_ready(id, name);
        else if (is(type, "pass")) put_cards(id, choose_pass(&question));
        else if (is(type, "play")) {
            put_answer("card", id, 3);
            put_text("card");
            put_card(choose_card(&question));
        } else continue; /* nobody waits for an answer */
        send_line(arena);
    }
    return 0;
}

#endif
