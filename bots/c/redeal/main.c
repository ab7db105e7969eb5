/* Redeal, in C without libraries: deals the hidden cards again and again, in ways that fit all that was seen,
 * and plays each of its choices to the end of the round in every such deal (determinised Monte Carlo).
 *
 *     main.c    the messages, and what a seat has seen of the round
 *     search.c  which choice is best, and how long to think
 *     deal.c    the hidden cards, dealt again
 *     policy.c  how everybody plays on
 *     game.h    cards and tricks
 *     wire.c    lines, base64, msgpack
 *
 * It plays one match at a time and draws its random numbers from the seed of the match, so it plays the same
 * cards again after the same seed and the same questions, unless a busy machine cuts its search short.
 *
 *     gcc -O2 -o redeal *.c -lm
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "policy.h"
#include "search.h"
#include "wire.h"

enum { MAX_LINE = 65536, MAX_EVENTS = 1024 };

/* ------------------------------------------------------------------ reading a message */

typedef struct {
    Value kind;
    int seat, card; /* card: -1 if the event has none */
} Event;

/* What of a message this bot looks at. Texts point into the line. */
typedef struct {
    Value type, id;
    int64_t seed, move_ms;
    int round, trick_number, dealer, leader, seat, players;
    int papayoo; /* the card */
    Cards hand, passed;
    int trick[MAX_PLAYERS], trick_size;
    int events;
    Event event[MAX_EVENTS];
} Message;

static const char LETTERS[] = "SHDCP";

/* The card of that name. */
static int card_of(Value value) {
    const char *letter = value.kind == STR && value.size >= 2 ? strchr(LETTERS, value.text[0]) : NULL;
    if (letter == NULL || value.size > 3) die("a card is no card");
    int rank = value.text[1] - '0', suit = (int)(letter - LETTERS);
    if (value.size == 3) rank = 10 * rank + value.text[2] - '0';
    if (rank < 1 || rank > count(suit_cards(suit))) die("a card has no such rank");
    return first_of(suit) + rank - 1;
}

static int64_t read_int(Reader *reader) { return read_value(reader).size; }

static int64_t read_list(Reader *reader, int64_t most) {
    Value list = read_value(reader);
    if (list.kind != ARRAY || list.size > most) die("a list is no list, or too long");
    return list.size;
}

static Cards read_cards(Reader *reader) {
    Cards cards = 0;
    for (int64_t left = read_list(reader, DECK); left > 0; left--) cards |= one(card_of(read_value(reader)));
    return cards;
}

static Event read_event(Reader *reader) {
    Event event = {.card = -1};
    Value map = read_value(reader);
    if (map.kind != MAP) die("an event is no map");
    for (int64_t i = 0; i < map.size; i++) {
        Value key = read_value(reader);
        if (is(key, "event")) event.kind = read_value(reader);
        else if (is(key, "seat")) event.seat = (int)(read_int(reader) & (MAX_PLAYERS - 1));
        else if (is(key, "card")) event.card = card_of(read_value(reader));
        else skip_value(reader);
    }
    return event;
}

/* The lists of a message; 0 if the key names none of those that are looked at. */
static int read_list_of(Reader *reader, Value key, Message *message) {
    if (is(key, "hand")) {
        message->hand = read_cards(reader);
    } else if (is(key, "passed")) {
        message->passed = read_cards(reader);
    } else if (is(key, "trick")) {
        message->trick_size = (int)read_list(reader, MAX_PLAYERS - 1);
        for (int i = 0; i < message->trick_size; i++) message->trick[i] = card_of(read_value(reader));
    } else if (is(key, "scores")) {
        message->players = (int)read_list(reader, MAX_PLAYERS);
        for (int i = 0; i < message->players; i++) skip_value(reader);
    } else if (is(key, "events")) {
        message->events = (int)read_list(reader, MAX_EVENTS);
        for (int i = 0; i < message->events; i++) message->event[i] = read_event(reader);
    } else {
        return 0;
    }
    return 1;
}

static int read_papayoo(Reader *reader) {
    Value suit = read_value(reader);
    const char *letter = suit.kind == STR && suit.size == 1 ? strchr(LETTERS, *suit.text) : NULL;
    if (letter == NULL) die("a suit is no suit");
    return first_of((int)(letter - LETTERS)) + 6;
}

static void read_message(Reader *reader, Message *message) {
    message->type = message->id = (Value){STR, 0, ""};
    message->events = message->trick_size = 0;
    Value map = read_value(reader);
    if (map.kind != MAP) die("a message is no map");
    for (int64_t i = 0; i < map.size; i++) {
        Value key = read_value(reader);
        if (is(key, "type")) message->type = read_value(reader);
        else if (is(key, "id")) message->id = read_value(reader);
        else if (is(key, "seed")) message->seed = read_int(reader);
        else if (is(key, "move_ms")) message->move_ms = read_int(reader);
        else if (is(key, "round")) message->round = (int)read_int(reader);
        else if (is(key, "trick_number")) message->trick_number = (int)read_int(reader);
        else if (is(key, "dealer")) message->dealer = (int)read_int(reader);
        else if (is(key, "leader")) message->leader = (int)read_int(reader);
        else if (is(key, "seat")) message->seat = (int)read_int(reader);
        else if (is(key, "papayoo_suit")) message->papayoo = read_papayoo(reader);
        else if (!read_list_of(reader, key, message)) skip_value(reader);
    }
}

/* ------------------------------------------------------------------ what the seat has seen */

/* What was seen of the round so far, by the seat for which the bot plays. */
typedef struct {
    int64_t seed; /* of the match */
    int round;
    Cards played;
    int led; /* the suit of the trick in progress; -1: none yet */
    uint8_t voids[MAX_PLAYERS];
} Memory;

static void begin_round(Memory *memory, int round) {
    memory->round = round;
    memory->played = 0;
    memory->led = -1;
    memset(memory->voids, 0, sizeof memory->voids);
}

static void see_card(Memory *memory, int seat, int card) {
    memory->played |= one(card);
    if (memory->led < 0) memory->led = suit_of(card);
    else if (suit_of(card) != memory->led) memory->voids[seat] |= (uint8_t)(1 << memory->led);
}

/* Takes in what happened since the last question. */
static void watch(Memory *memory, const Message *question) {
    int players = question->players;
    if (players < 3 || question->seat < 0 || question->seat >= players) die("a question is for no seat of a table");
    if (memory->round != question->round) begin_round(memory, question->round);
    for (int i = 0; i < question->events; i++) {
        const Event *event = &question->event[i];
        if (is(event->kind, "die")) begin_round(memory, question->round);
        else if (is(event->kind, "played") && event->card >= 0) see_card(memory, event->seat, event->card);
        else if (is(event->kind, "taken")) memory->led = -1;
    }
}

/* The table as the seat sees it: its own hand only. */
static Table table_of(const Memory *memory, const Message *question) {
    Table table = {
        .players = question->players,
        .papayoo = question->papayoo,
        .turn = question->leader % question->players,
        .out = deck(question->players) & ~memory->played,
    };
    memcpy(table.voids, memory->voids, sizeof table.voids);
    for (int i = 0; i < question->trick_size; i++) play(&table, question->trick[i]);
    table.hands[question->seat] = question->hand;
    table.cards_left = count(question->hand) * question->players - question->trick_size;
    return table;
}

/* What the seat knows about the other hands. */
static Seen seen_of(const Table *table, const Message *question) {
    Seen seen = {.players = table->players, .me = question->seat, .hidden = table->out & ~question->hand};
    int first = question->leader % table->players;
    for (int i = 0; i < table->players; i++) {
        int seat = (first + i) % table->players;
        seen.held[seat] = count(question->hand) - (i < question->trick_size);
        for (int suit = 0; suit < SUITS; suit++)
            if (!(table->voids[seat] >> suit & 1)) seen.possible[seat] |= suit_cards(suit);
    }
    seen.known[(question->seat + 1) % table->players] = question->passed & seen.hidden;
    return seen;
}

/* ------------------------------------------------------------------ answering */

/* Random numbers for one question: they depend on the match's seed and the question, not on earlier answers. */
static Chance chance_for(const Memory *memory, const Message *question, int trick_number) {
    uint64_t place = (uint64_t)question->round * 32 + (uint64_t)trick_number;
    return chance_of((uint64_t)memory->seed << 32 | place);
}

static void put_card(Writer *writer, int card) {
    char name[16];
    snprintf(name, sizeof name, "%c%d", LETTERS[suit_of(card)], rank_of(card));
    put(writer, name);
}

static void answer_hello(Writer *writer, const Message *message) {
    begin_answer(writer, 6, "ready", message->id);
    put(writer, "name");
    put(writer, "Redeal (C)");
    put(writer, "version");
    put(writer, "1");
    put(writer, "tables");
    put_byte(writer, 1);
    put(writer, "language");
    put(writer, "C");
}

static void answer_pass(Writer *writer, const Memory *memory, const Message *question, Effort effort) {
    Chance chance = chance_for(memory, question, 31);
    Cards chosen = search_pass(question->players, question->seat, question->dealer, question->hand, &chance, &effort);
    begin_answer(writer, 3, "cards", question->id);
    put(writer, "cards");
    put_byte(writer, 0x90 + count(chosen));
    for (; chosen; chosen &= chosen - 1) put_card(writer, lowest(chosen));
}

static void answer_play(Writer *writer, const Memory *memory, const Message *question, Effort effort) {
    Chance chance = chance_for(memory, question, question->trick_number);
    Table table = table_of(memory, question);
    Seen seen = seen_of(&table, question);
    begin_answer(writer, 3, "card", question->id);
    put(writer, "card");
    put_card(writer, search_card(&table, &seen, &chance, &effort));
}

/* Answers a line that came at `since`. Returns 0 if the bot is to end. */
static int answer(uint8_t *line, size_t size, int64_t since) {
    static Message message;
    static Memory memory = {.round = -1};
    Reader reader = {line, line + base64_decode(line, size)};
    read_message(&reader, &message);
    Writer writer;
    if (is(message.type, "bye")) return 0;
    if (is(message.type, "start")) {
        memory.seed = message.seed;
        begin_round(&memory, -1);
        return 1;
    }
    if (is(message.type, "hello")) {
        answer_hello(&writer, &message);
    } else if (is(message.type, "pass")) {
        watch(&memory, &message);
        answer_pass(&writer, &memory, &message, effort_for(since, message.move_ms, 1));
    } else if (is(message.type, "play")) {
        watch(&memory, &message);
        answer_play(&writer, &memory, &message, effort_for(since, message.move_ms, 0));
    } else {
        return 1; /* news, or a message that is newer than this bot */
    }
    send_answer(&writer);
    return 1;
}

int main(void) {
    static uint8_t input[MAX_LINE];
    size_t held = 0;
    prepare_wire();
    prepare_policy();
    for (;;) {
        if (held == sizeof input) die("a line is too long");
        ssize_t part = read(STDIN_FILENO, input + held, sizeof input - held);
        if (part <= 0) return 0; /* the end of input means the same as bye */
        int64_t since = now_us();
        held += (size_t)part;
        uint8_t *line = input, *newline;
        while ((newline = memchr(line, '\n', held - (size_t)(line - input))) != NULL) {
            size_t size = (size_t)(newline - line);
            if (size && line[size - 1] == '\r') size--;
            if (!answer(line, size, since)) return 0;
            line = newline + 1;
        }
        held -= (size_t)(line - input);
        memmove(input, line, held);
    }
}
