/* Dump, in C without libraries: ducks, and throws its most expensive card when it cannot follow.
 *
 * A complete bot in one file: lines, base64, msgpack, messages, play. To write your own, change
 * choose_pass and choose_card. It plays as bots/python/dump does, and remembers nothing between
 * questions, so it can sit at several tables at once.
 *
 *     gcc -O2 -o dump main.c
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINE = 65536, MAX_CARDS = 60, MAX_TEXT = 100 };

static void die(const char *why) {
    fprintf(stderr, "dump: %s\n", why); /* stderr is kept by the referee and shown to the author */
    exit(1);
}

/* ------------------------------------------------------------------ base64 */

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static uint8_t digit_value[256]; /* filled once by main */

/* Decodes in place and returns the number of bytes; stops at padding. */
static size_t base64_decode(uint8_t *text, size_t size) {
    uint32_t bits = 0;
    int held = 0;
    size_t out = 0;
    for (size_t i = 0; i < size && text[i] != '='; i++) {
        bits = bits << 6 | digit_value[text[i]];
        held += 6;
        if (held >= 8) {
            held -= 8;
            text[out++] = (uint8_t)(bits >> held);
        }
    }
    return out;
}

static size_t base64_encode(const uint8_t *data, size_t size, char *text) {
    size_t out = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)data[i] << 16;
        if (left > 1) bits |= (uint32_t)data[i + 1] << 8;
        if (left > 2) bits |= data[i + 2];
        text[out++] = DIGITS[bits >> 18];
        text[out++] = DIGITS[bits >> 12 & 63];
        text[out++] = left > 1 ? DIGITS[bits >> 6 & 63] : '=';
        text[out++] = left > 2 ? DIGITS[bits & 63] : '=';
    }
    return out;
}

/* ------------------------------------------------------------------ msgpack, reading */

typedef enum { NIL_OR_BOOL, INT, STR, ARRAY, MAP } Kind;

/* The start of a value. size: the integer itself, or the bytes, items or pairs that follow. */
typedef struct {
    Kind kind;
    int64_t size;
    const char *text; /* of a STR, without a zero at its end */
} Value;

typedef struct {
    const uint8_t *at, *end;
} Reader;

/* An unsigned integer of so many bytes, the most significant first. */
static uint64_t read_number(Reader *reader, int bytes) {
    uint64_t number = 0;
    if (reader->end - reader->at < bytes) die("a message ends too early");
    while (bytes--) number = number << 8 | *reader->at++;
    return number;
}

/* The kinds whose size does not fit into the first byte. */
static Value read_long_head(Reader *reader, uint8_t first) {
    if (first == 0xc0 || first == 0xc2 || first == 0xc3) return (Value){NIL_OR_BOOL, 0, NULL};
    if (first >= 0xcc && first <= 0xcf) return (Value){INT, (int64_t)read_number(reader, 1 << (first - 0xcc)), NULL};
    if (first >= 0xd0 && first <= 0xd3) {
        int unused = 64 - (8 << (first - 0xd0));
        uint64_t number = read_number(reader, 1 << (first - 0xd0));
        return (Value){INT, (int64_t)(number << unused) >> unused, NULL};
    }
    if (first >= 0xd9 && first <= 0xdb) return (Value){STR, (int64_t)read_number(reader, 1 << (first - 0xd9)), NULL};
    if (first == 0xdc || first == 0xdd) return (Value){ARRAY, (int64_t)read_number(reader, 2 << (first - 0xdc)), NULL};
    if (first == 0xde || first == 0xdf) return (Value){MAP, (int64_t)read_number(reader, 2 << (first - 0xde)), NULL};
    die("a message holds a type that the protocol does not have");
    abort();
}

/* Reads the start of an array or a map, or the whole of any other value. */
static Value read_value(Reader *reader) {
    uint8_t first = (uint8_t)read_number(reader, 1);
    Value value;
    if (first < 0x80) value = (Value){INT, first, NULL};
    else if (first < 0x90) value = (Value){MAP, first & 15, NULL};
    else if (first < 0xa0) value = (Value){ARRAY, first & 15, NULL};
    else if (first < 0xc0) value = (Value){STR, first & 31, NULL};
    else if (first >= 0xe0) value = (Value){INT, first - 256, NULL};
    else value = read_long_head(reader, first);
    if (value.kind == STR) {
        if (reader->end - reader->at < value.size) die("a message ends inside a string");
        value.text = (const char *)reader->at;
        reader->at += value.size;
    }
    return value;
}

/* Passes over one whole value, whatever it is. */
static void skip_value(Reader *reader) {
    Value value = read_value(reader);
    int64_t inside = value.kind == ARRAY ? value.size : value.kind == MAP ? 2 * value.size : 0;
    while (inside--) skip_value(reader);
}

static int is(Value value, const char *text) {
    return value.kind == STR && (size_t)value.size == strlen(text) && !memcmp(value.text, text, (size_t)value.size);
}

/* ------------------------------------------------------------------ cards */

typedef struct {
    char suit; /* S, H, D, C or P */
    int rank;
} Card;

typedef struct {
    Card cards[MAX_CARDS];
    int size;
} Cards;

static Card card_of(Value value) {
    if (value.kind != STR || value.size < 2 || value.size > 3) die("a card is no card");
    int rank = value.text[1] - '0';
    if (value.size == 3) rank = 10 * rank + value.text[2] - '0';
    return (Card){value.text[0], rank};
}

static char read_suit(Reader *reader) {
    Value suit = read_value(reader);
    if (suit.kind != STR || suit.size != 1) die("a suit is no suit");
    return *suit.text;
}

static Cards read_cards(Reader *reader) {
    Value list = read_value(reader);
    Cards cards = {.size = (int)list.size};
    if (list.kind != ARRAY || list.size > MAX_CARDS) die("a list of cards is no list of cards");
    for (int i = 0; i < cards.size; i++) cards.cards[i] = card_of(read_value(reader));
    return cards;
}

/* ------------------------------------------------------------------ play */

/* What of a message this bot looks at. Texts point into the line. */
typedef struct {
    Value type, id;
    Cards hand, legal, trick;
    int count;
    char papayoo_suit;
} Message;

/* Points first, then rank, as one number. */
static int cost_of(Card card, char papayoo_suit) {
    int points = card.suit == 'P' ? card.rank : card.suit == papayoo_suit && card.rank == 7 ? 40 : 0;
    return 100 * points + card.rank;
}

/* The highest ranks of the hand; among equals the later suits. */
static Cards choose_pass(const Message *question) {
    Cards chosen = {.size = 0};
    for (int rank = 20; rank > 0; rank--)
        for (int i = question->hand.size - 1; i >= 0; i--)
            if (question->hand.cards[i].rank == rank && chosen.size < question->count)
                chosen.cards[chosen.size++] = question->hand.cards[i];
    return chosen;
}

static Card winner(const Cards *trick) {
    Card best = trick->cards[0];
    for (int i = 1; i < trick->size; i++)
        if (trick->cards[i].suit == best.suit && trick->cards[i].rank > best.rank) best = trick->cards[i];
    return best;
}

static Card lowest_rank(const Cards *cards) {
    Card lowest = cards->cards[0];
    for (int i = 1; i < cards->size; i++)
        if (cards->cards[i].rank < lowest.rank) lowest = cards->cards[i];
    return lowest;
}

/* The most expensive card that cannot take the trick, else the cheapest. */
static Card choose_card(const Message *question) {
    const Cards *legal = &question->legal;
    if (question->trick.size == 0) return lowest_rank(legal);
    Card best = winner(&question->trick), dearest = {0, 0}, cheapest = {0, 0};
    int most = -1, least = 1 << 30;
    for (int i = 0; i < legal->size; i++) {
        Card card = legal->cards[i];
        int cost = cost_of(card, question->papayoo_suit);
        int losing = card.suit != best.suit || card.rank < best.rank;
        if (losing && cost > most) most = cost, dearest = card;
        if (cost < least) least = cost, cheapest = card;
    }
    return most >= 0 ? dearest : cheapest;
}

/* ------------------------------------------------------------------ messages */

static Message read_message(Reader *reader) {
    Message message = {.papayoo_suit = 0};
    Value map = read_value(reader);
    if (map.kind != MAP) die("a message is no map");
    for (int64_t i = 0; i < map.size; i++) {
        Value key = read_value(reader);
        if (is(key, "type")) message.type = read_value(reader);
        else if (is(key, "id")) message.id = read_value(reader);
        else if (is(key, "hand")) message.hand = read_cards(reader);
        else if (is(key, "legal")) message.legal = read_cards(reader);
        else if (is(key, "trick")) message.trick = read_cards(reader);
        else if (is(key, "count")) message.count = (int)read_value(reader).size;
        else if (is(key, "papayoo_suit")) message.papayoo_suit = read_suit(reader);
        else skip_value(reader);
    }
    return message;
}

/* The answer being written: at most a map of six short texts or a list of cards. */
typedef struct {
    uint8_t data[1024];
    size_t size;
} Writer;

static void put_text(Writer *writer, const char *text, size_t size) {
    if (size > MAX_TEXT) die("an id is too long");
    if (size < 32) {
        writer->data[writer->size++] = (uint8_t)(0xa0 + size);
    } else {
        writer->data[writer->size++] = 0xd9;
        writer->data[writer->size++] = (uint8_t)size;
    }
    memcpy(writer->data + writer->size, text, size);
    writer->size += size;
}

static void put(Writer *writer, const char *text) { put_text(writer, text, strlen(text)); }

static void put_card(Writer *writer, Card card) {
    char name[16];
    snprintf(name, sizeof name, "%c%d", card.suit, card.rank);
    put(writer, name);
}

static void begin_answer(Writer *writer, int pairs, const char *type, Value id) {
    writer->size = 0;
    writer->data[writer->size++] = (uint8_t)(0x80 + pairs);
    put(writer, "type");
    put(writer, type);
    put(writer, "id");
    put_text(writer, id.text, (size_t)id.size);
}

static void put_ready(Writer *writer, Value id) {
    begin_answer(writer, 6, "ready", id);
    put(writer, "name");
    put(writer, "Dump (C)");
    put(writer, "version");
    put(writer, "1");
    put(writer, "tables");
    writer->data[writer->size++] = 8;
    put(writer, "language");
    put(writer, "C");
}

static void put_cards(Writer *writer, Value id, Cards chosen) {
    begin_answer(writer, 3, "cards", id);
    put(writer, "cards");
    writer->data[writer->size++] = (uint8_t)(0x90 + chosen.size);
    for (int i = 0; i < chosen.size; i++) put_card(writer, chosen.cards[i]);
}

/* ------------------------------------------------------------------ the conversation */

static void send_answer(const Writer *writer) {
    char line[2048];
    size_t size = base64_encode(writer->data, writer->size, line), sent = 0;
    line[size++] = '\n';
    while (sent < size) {
        ssize_t part = write(STDOUT_FILENO, line + sent, size - sent);
        if (part <= 0) exit(0); /* nobody reads any more */
        sent += (size_t)part;
    }
}

static void answer(uint8_t *line, size_t size) {
    Reader reader = {line, line + base64_decode(line, size)};
    Message message = read_message(&reader);
    Writer writer;
    if (is(message.type, "bye")) exit(0);
    if (is(message.type, "hello")) {
        put_ready(&writer, message.id);
    } else if (is(message.type, "pass")) {
        put_cards(&writer, message.id, choose_pass(&message));
    } else if (is(message.type, "play")) {
        begin_answer(&writer, 3, "card", message.id);
        put(&writer, "card");
        put_card(&writer, choose_card(&message));
    } else {
        return; /* news, or a message that is newer than this bot */
    }
    send_answer(&writer);
}

int main(void) {
    static uint8_t input[MAX_LINE];
    size_t held = 0;
    for (int i = 0; i < 64; i++) digit_value[(uint8_t)DIGITS[i]] = (uint8_t)i;
    for (;;) {
        if (held == sizeof input) die("a line is too long");
        ssize_t part = read(STDIN_FILENO, input + held, sizeof input - held);
        if (part <= 0) return 0; /* the end of input means the same as bye */
        held += (size_t)part;
        uint8_t *line = input, *newline;
        while ((newline = memchr(line, '\n', held - (size_t)(line - input))) != NULL) {
            size_t size = (size_t)(newline - line);
            if (size && line[size - 1] == '\r') size--;
            answer(line, size);
            line = newline + 1;
        }
        held -= (size_t)(line - input);
        memmove(input, line, held);
    }
}
