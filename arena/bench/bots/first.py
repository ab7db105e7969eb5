"""First: a bot that plays the first legal card and passes the first cards of its hand, as fast as Python can.

It is a measure rather than a player, as bots/c/first is for C: what a match costs beside it is the arena's
own cost. Like the bot in C it decodes no card that is played, and copies the card's name from the question to
the answer. Questions that have come together are answered together.
"""

from __future__ import annotations

import os
import re
from binascii import a2b_base64, b2a_base64

from msgpack import packb, unpackb

play = re.compile(
    rb"\xa4type\xa4play(\xa2id[\xa1-\xbf][0-9a-f]+).*?"  # a text's first byte holds its length
    rb"\xa5legal(?:[\x91-\x9f]|\xdc..)([\xa2\xa3][SHDCP]\d+)",  # and an array's how many there are in it
    re.DOTALL,
).search
rest = b""
while data := os.read(0, 65536):
    lines = (rest + data).split(b"\n")
    rest = lines.pop()
    answers = []
    for line in lines:
        message = a2b_base64(line)
        if found := play(message):
            answer = b"\x83\xa4type\xa4card%b\xa4card%b" % found.groups()
        else:
            match unpackb(message):
                case {"type": "pass", "id": name, "hand": hand, "count": count}:
                    answer = packb({"type": "cards", "id": name, "cards": hand[:count]})
                case {"type": "hello", "id": name, "tables_max": tables}:
                    ready = {"type": "ready", "id": name, "name": "first", "version": "1", "tables": tables}
                    answer = packb(ready)
                case _:
                    continue
        answers.append(b2a_base64(answer))
    if answers:
        os.write(1, b"".join(answers))
