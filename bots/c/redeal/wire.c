/* Lines, base64 and msgpack, as in bots/c/dump/main.c. See wire.h. */
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TEXT = 100 };

void die(const char *why) {
    fprintf(stderr, "redeal: %s\n", why);
    exit(1);
}

/* ------------------------------------------------------------------ base64 */

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static uint8_t digit_value[256];

void prepare_wire(void) {
    for (int i = 0; i < 64; i++) digit_value[(uint8_t)DIGITS[i]] = (uint8_t)i;
}

size_t base64_decode(uint8_t *text, size_t size) {
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
}

Value read_value(Reader *reader) {
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

void skip_value(Reader *reader) {
    Value value = read_value(reader);
    int64_t inside = value.kind == ARRAY ? value.size : value.kind == MAP ? 2 * value.size : 0;
    while (inside--) skip_value(reader);
}

int is(Value value, const char *text) {
    return value.kind == STR && (size_t)value.size == strlen(text) && !memcmp(value.text, text, (size_t)value.size);
}

/* ------------------------------------------------------------------ msgpack, writing */

void put_byte(Writer *writer, int byte) {
    if (writer->size == sizeof writer->data) die("an answer is too long");
    writer->data[writer->size++] = (uint8_t)byte;
}

void put_text(Writer *writer, const char *text, size_t size) {
    if (size > MAX_TEXT) die("a text is too long");
    if (size >= 32) put_byte(writer, 0xd9);
    put_byte(writer, size < 32 ? (int)(0xa0 + size) : (int)size);
    for (size_t i = 0; i < size; i++) put_byte(writer, (uint8_t)text[i]);
}

void put(Writer *writer, const char *text) { put_text(writer, text, strlen(text)); }

void begin_answer(Writer *writer, int pairs, const char *type, Value id) {
    writer->size = 0;
    put_byte(writer, 0x80 + pairs);
    put(writer, "type");
    put(writer, type);
    put(writer, "id");
    put_text(writer, id.text, (size_t)id.size);
}

void send_answer(const Writer *writer) {
    char line[2048];
    size_t size = base64_encode(writer->data, writer->size, line), sent = 0;
    line[size++] = '\n';
    while (sent < size) {
        ssize_t part = write(STDOUT_FILENO, line + sent, size - sent);
        if (part <= 0) exit(0); /* nobody reads any more */
        sent += (size_t)part;
    }
}
