"""First: the first legal card, and for the pass the first cards of the hand. As fast as msgpack can.

It is no player but a measure, as bots/c/first is for C: what the arena costs beside it is the arena's own.
Questions that have come together are answered together.
"""

from __future__ import annotations

import os
from binascii import a2b_base64, b2a_base64

from msgpack import Packer, unpackb

pack = Packer().pack  # once: making one takes as long as using it
rest = b""
while data := os.read(0, 65536):
    lines = (rest + data).split(b"\n")
    rest = lines.pop()
    answers = []
    for line in lines:
        message = unpackb(a2b_base64(line), use_list=False)  # tuples are made faster
        match message["type"]:
            case "play":
                answer = {"type": "card", "id": message["id"], "card": message["legal"][0]}
            case "pass":
                answer = {"type": "cards", "id": message["id"], "cards": message["hand"][: message["count"]]}
            case "hello":
                answer = {"type": "ready", "id": message["id"], "name": "first", "version": "1"}
                answer["tables"] = message["tables_max"]
            case _:
                continue
        answers.append(b2a_base64(pack(answer)))
    if answers:
        os.write(1, b"".join(answers))
