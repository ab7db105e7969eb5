/* Messages as lines: base64 of msgpack, reading and writing, without libraries. */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

/* Ends the program; the reason goes to standard error, which the referee keeps for the author. */
_Noreturn void die(const char *why);

/* Fills the tables of base64. Call it once, before anything else here. */
void prepare_wire(void);

/* Decodes base64 in place; the number of bytes. */
size_t base64_decode(uint8_t *text, size_t size);

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

/* Reads the start of an array or a map, or the whole of any other value. */
Value read_value(Reader *reader);

/* Passes over one whole value, whatever it is. */
void skip_value(Reader *reader);

/* Whether a value is that text. */
int is(Value value, const char *text);

/* The answer being written: at most a map of six short texts or a list of cards. */
typedef struct {
    uint8_t data[1024];
    size_t size;
} Writer;

void put_byte(Writer *writer, int byte);
void put_text(Writer *writer, const char *text, size_t size);
void put(Writer *writer, const char *text);

/* Begins the map of an answer with so many pairs, and writes the first two: type and id. */
void begin_answer(Writer *writer, int pairs, const char *type, Value id);

/* Writes the answer to standard output as one line, at once. */
void send_answer(const Writer *writer);

#endif
