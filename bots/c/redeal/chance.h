/* Random numbers that are the same for the same seed everywhere: xorshift64*. */
#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

typedef struct {
    uint64_t state; /* never 0 */
} Chance;

/* A start that differs much for seeds that differ little (the finisher of splitmix64). */
static inline Chance chance_of(uint64_t seed) {
    seed += 0x9e3779b97f4a7c15u;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111ebu;
    seed ^= seed >> 31;
    return (Chance){seed ? seed : 1};
}

/* A number from 0 to below, which is less than 2^32. */
static inline int draw(Chance *chance, int below) {
    chance->state ^= chance->state >> 12;
    chance->state ^= chance->state << 25;
    chance->state ^= chance->state >> 27;
    uint32_t high = (uint32_t)(chance->state * 0x2545f4914f6cdd1du >> 32);
    return (int)((uint64_t)high * (uint32_t)below >> 32);
}

#endif
