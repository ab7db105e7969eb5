"""A bot that breaks the protocol in one way, named by its first argument; without one it plays well."""

from __future__ import annotations

import os
import random
import sys
import time
from base64 import b64decode, b64encode
from threading import Thread

import msgpack

HOW = sys.argv[1] if len(sys.argv) > 1 else ""
KNOWN = {"hello", "start", "pass", "play", "round_over", "match_over", "bye"}
KEYS = {"type", "id", "table", "round", "dealer", "seat", "hand", "count", "scores", "move_ms", "bank_ms"}
KEYS |= {
    "players",
    "events",
    "trick_number",
    "leader",
    "papayoo_suit",
    "legal",
    "trick",
    "received",
    "passed",
    "points",
}
count = 0
hoard = []
seen = set()


def say(message, end=b"\n"):
    line = b64encode(msgpack.packb(message))
    if HOW == "wraps":
        line = b"\n".join(line[place : place + 76] for place in range(0, len(line), 76))
    os.write(1, line + end)


def lines():
    """The lines of standard input, or what a careless reader takes for them."""
    if HOW in ("one read", "first of a read"):
        while data := os.read(0, 1 << 20):
            yield data.split(b"\n")[0] if HOW == "first of a read" else data
    else:
        yield from sys.stdin.buffer


def passed(question):
    cards = question["hand"][: question["count"]]
    if HOW == "too few":
        return cards[1:]
    return cards


def played(question):
    legal, hand, trick = question["legal"], question["hand"], question["trick"]
    follows = trick and any(card[0] == trick[0][0] for card in hand)
    if (HOW == "foreign lead" and not trick) or (HOW == "foreign throw" and trick and not follows):
        return next(f"S{rank}" for rank in range(1, 11) if f"S{rank}" not in hand)
    if HOW == "revoke":
        return next((card for card in hand if card not in legal), legal[0])
    if HOW == "counts on":
        return legal[count % len(legal)]
    if HOW == "keeps tables":
        seen.add((question["table"], hand[0]))
        return legal[-len([card for table, card in seen if table == question["table"]]) % len(legal)]
    return random.choice(legal) if HOW == "dice" else legal[0]


def answer(question):
    if HOW == "slow" and count <= 3:
        time.sleep(0.6)
    if HOW == "a bit slow" and count % 16 < 3:
        time.sleep(0.15)
    if HOW == "dies of old age" and count > 100:
        sys.exit("too old")
    if HOW == "grows":
        hoard.append(b"x" * (3 << 16))
    if HOW == "strict keys" and not set(question) <= KEYS:
        raise KeyError(str(set(question) - KEYS)[:50])
    if HOW == "short ids":
        question["id"] = question["id"][:12]
    if HOW == "stand-in" and any(event.get("by") == "stand_in" for event in question["events"]):
        raise ValueError("who played that?")
    if question["type"] == "pass":
        return {"type": "cards", "id": question["id"], "cards": passed(question)}
    return {"type": "card", "id": question["id"], "card": played(question)}


def hear(news):
    if news["type"] not in KNOWN and HOW == "strict types":
        raise ValueError(news["type"])
    if news["type"] not in KNOWN and HOW == "answers all" and "id" in news:
        say({"type": "card", "id": news["id"], "card": "S1"})
    if news["type"] == "round_over" and HOW == "seven" and len(news["scores"]) == 7:
        os._exit(3)
    if news["type"] == "start" and HOW == "greets":
        print("hello", flush=True)


def spin():
    while True:
        pass


def main():
    global count
    if HOW == "does not start":
        sys.exit("no such engine")
    if HOW == "no base64":
        os.write(1, b"\x84 ready\n")
    if HOW == "spins":
        Thread(target=spin, daemon=True).start()
    if HOW == "large":
        hoard.append(bytearray(64 << 20))
    for line in lines():
        message = msgpack.unpackb(b64decode(line))
        kind = message["type"]
        if kind == "hello":
            tables = {"tables": 3} if HOW in ("one of three", "three") else {}
            say({"type": "ready", "id": message["id"], "name": "Broken", "version": "1", **tables})
            if HOW == "chatters":
                print("let us play", flush=True)
        elif kind == "bye":
            if HOW == "says bye":
                print("bye", flush=True)
            if HOW != "stays":
                return
        elif kind in ("pass", "play"):
            count += 1
            if HOW == "one of three" and message["table"] == 2:
                continue
            if HOW == "silent":
                continue
            said = answer(message)
            say(said, b"" if HOW == "no newline" else b"\n")
            if HOW == "twice" and count == 3:
                say(said)
        else:
            hear(message)
    if HOW == "outlives":
        time.sleep(60)


main()
