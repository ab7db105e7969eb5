/* Reads lines of the protocol, in hexadecimal, and writes them again: see README.md one folder up. */
#include "papayoo.h"

static void put_value(const Value *value) {
    switch (value->kind) {
        case NIL: put(0xc0); return;
        case BOOL: put(value->number ? 0xc3 : 0xc2); return;
        case INT: put_int(value->number); return;
        case STR: put_bytes(value->text, value->size); return;
        default: put_head(value->kind, value->size);
    }
    for (uint32_t i = 0; i < value->size * (value->kind == MAP ? 2 : 1); i++) put_value(&value->items[i]);
}

int main(void) {
    static char text[4 * MAX_LINE];
    while (fgets(text, sizeof text, stdin)) {
        size_t size = strlen(text) / 2;
        char *line = malloc(size ? size : 1); /* of just that size, so that reading beyond it is found */
        for (size_t i = 0; i < size; i++) sscanf(text + 2 * i, "%2hhx", (unsigned char *)&line[i]);
        const Value *message = decode(line, size);
        if (message) put_value(message), send_line(stdout);
        else printf("refused %s\n", reader.why);
        free(line);
    }
}
