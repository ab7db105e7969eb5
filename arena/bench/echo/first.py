"""First: the first legal card, and for the pass the first cards of the hand. As fast as msgpack can.

It is no player but a measure, as bots/c/first is for C: what the arena costs beside it is the arena's own.
"""

from __future__ import annotations

import os
import sys
from binascii import a2b_base64, b2a_base64

from msgpack import packb, unpackb

for line in sys.stdin.buffer:
    message = unpackb(a2b_base64(line))
    match message["type"]:
        case "play":
            answer = {"type": "card", "id": message["id"], "card": message["legal"][0]}
        case "pass":
            answer = {"type": "cards", "id": message["id"], "cards": message["hand"][: message["count"]]}
        case "hello":
            answer = {"type": "ready", "id": message["id"], "name": "first", "version": "1"}
        case _:
            continue
    os.write(1, b2a_base64(packb(answer)))
