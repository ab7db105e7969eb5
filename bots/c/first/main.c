/* First: the first legal card, and for the pass the first cards of the hand. As fast as can be.
 *
 * It is no player but a measure: the arena's benchmarks time it, and the transcripts of the protocol
 * were played by it. It never decodes a card: names go from question to answer as they came.
 * bots/c/dump is the one to copy for a bot of your own.
 *
 *     gcc -O2 -o first main.c
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINE = 65536 };

typedef struct {
    const uint8_t *at, *end;
} Span; /* bytes of a message, or what is left of them */

static void die(const char *why) {
    fprintf(stderr, "first: %s\n", why);
    exit(1);
}

/* ------------------------------------------------------------------ base64 */

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static uint8_t digit_value[256]; /* filled once by main; padding counts as 0 */

/* Decodes in place, four letters at a time, and returns the number of bytes. */
static size_t base64_decode(uint8_t *text, size_t size) {
    uint8_t *out = text;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t bits = (uint32_t)digit_value[text[i]] << 18 | (uint32_t)digit_value[text[i + 1]] << 12 |
                        (uint32_t)digit_value[text[i + 2]] << 6 | digit_value[text[i + 3]];
        size_t padding = (text[i + 2] == '=') + (text[i + 3] == '=');
        out[0] = (uint8_t)(bits >> 16);
        out[1] = (uint8_t)(bits >> 8);
        out[2] = (uint8_t)bits;
        out += 3 - padding;
    }
    return (size_t)(out - text);
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

/* ------------------------------------------------------------------ msgpack, passed over */

static uint32_t number(Span *rest, int bytes) {
    uint32_t value = 0;
    if (rest->end - rest->at < bytes) die("a message ends too early");
    while (bytes--) value = value << 8 | *rest->at++;
    return value;
}

/* Passes over the start of a value; gives how many values are inside it, and sets how many bytes. */
static uint32_t head(Span *rest, uint32_t *bytes) {
    uint8_t first = (uint8_t)number(rest, 1);
    *bytes = 0;
    if (first < 0x80 || first >= 0xe0) return 0;
    if (first < 0x90) return 2u * (first & 15);
    if (first < 0xa0) return first & 15;
    if (first < 0xc0) return *bytes = first & 31, 0;
    if (first >= 0xcc && first <= 0xcf) return *bytes = 1u << (first - 0xcc), 0;
    if (first >= 0xd0 && first <= 0xd3) return *bytes = 1u << (first - 0xd0), 0;
    if (first >= 0xd9 && first <= 0xdb) return *bytes = number(rest, 1 << (first - 0xd9)), 0;
    if (first == 0xdc || first == 0xdd) return number(rest, 2 << (first - 0xdc));
    if (first == 0xde || first == 0xdf) return 2 * number(rest, 2 << (first - 0xde));
    if (first != 0xc0 && first != 0xc2 && first != 0xc3) die("a type that the protocol does not have");
    return 0;
}

/* Passes over one whole value and gives its bytes, the first one included. */
static Span value(Span *rest) {
    Span whole = {rest->at, NULL};
    for (uint64_t left = 1; left; left--) {
        uint32_t bytes;
        left += head(rest, &bytes);
        if ((uint64_t)(rest->end - rest->at) < bytes) die("a message ends too early");
        rest->at += bytes;
    }
    whole.end = rest->at;
    return whole;
}

/* Whether a value is this short string (of up to 31 bytes) in its shortest form, as the referee writes. */
static int is(Span whole, const char *text) {
    size_t size = strlen(text);
    return (size_t)(whole.end - whole.at) == size + 1 && *whole.at == 0xa0 + size && !memcmp(whole.at + 1, text, size);
}

/* ------------------------------------------------------------------ messages */

typedef struct {
    Span type, id, hand, legal, count;
} Message;

static Message read_message(Span rest) {
    Message message = {.type = {0}};
    uint32_t bytes;
    for (uint32_t pairs = head(&rest, &bytes) / 2; pairs; pairs--) {
        Span key = value(&rest), found = value(&rest);
        if (is(key, "type")) message.type = found;
        else if (is(key, "id")) message.id = found;
        else if (is(key, "hand")) message.hand = found;
        else if (is(key, "legal")) message.legal = found;
        else if (is(key, "count")) message.count = found;
    }
    return message;
}

static uint8_t reply[512];
static size_t reply_size;

static void put(const void *bytes, size_t size) {
    if (size > sizeof reply - reply_size) die("an answer is too long");
    memcpy(reply + reply_size, bytes, size);
    reply_size += size;
}

static void put_span(Span span) { put(span.at, (size_t)(span.end - span.at)); }

/* The first `count` values of a list, without the start of the list. */
static Span first_of(Span list, int count) {
    uint32_t bytes;
    head(&list, &bytes);
    Span taken = {list.at, list.at};
    while (count--) taken.end = value(&list).end;
    return taken;
}

#define PUT(literal) put(literal, sizeof literal - 1)

/* Writes the answer; 0 if the message needs none. */
static int answer(const Message *message) {
    reply_size = 0;
    if (is(message->type, "play")) {
        PUT("\x83\xa4type\xa4" "card\xa2id");
        put_span(message->id);
        PUT("\xa4" "card");
        put_span(first_of(message->legal, 1));
    } else if (is(message->type, "pass")) {
        uint8_t count = *message->count.at, list = (uint8_t)(0x90 + count);
        PUT("\x83\xa4type\xa5" "cards\xa2id");
        put_span(message->id);
        PUT("\xa5" "cards");
        put(&list, 1);
        put_span(first_of(message->hand, count));
    } else if (is(message->type, "hello")) {
        PUT("\x84\xa4type\xa5ready\xa2id");
        put_span(message->id);
        PUT("\xa4name\xa5" "First\xa7version\xa1" "1");
    }
    return reply_size > 0;
}

/* ------------------------------------------------------------------ the conversation */

static void send_reply(void) {
    char line[4 * sizeof reply / 3 + 8];
    size_t size = base64_encode(reply, reply_size, line), sent = 0;
    line[size++] = '\n';
    while (sent < size) {
        ssize_t part = write(STDOUT_FILENO, line + sent, size - sent);
        if (part <= 0) exit(0); /* nobody reads any more */
        sent += (size_t)part;
    }
}

static void take_line(uint8_t *line, size_t size) {
    Message message = read_message((Span){line, line + base64_decode(line, size)});
    if (is(message.type, "bye")) exit(0);
    if (answer(&message)) send_reply();
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
            take_line(line, (size_t)(newline - line));
            line = newline + 1;
        }
        held -= (size_t)(line - input);
        memmove(input, line, held);
    }
}
