"""A bot that passes the first cards of its hand, and plays the first legal card."""

import base64
import sys

import msgpack

for line in sys.stdin.buffer:
    message = msgpack.unpackb(base64.b64decode(line))
    answer = {"id": message.get("id")}
    if message["type"] == "hello":
        answer |= {"type": "ready", "name": "Lowest", "version": "1"}
    elif message["type"] == "pass":
        answer |= {"type": "cards", "cards": message["hand"][: message["count"]]}
    elif message["type"] == "play":
        answer |= {"type": "card", "card": message["legal"][0]}
    else:
        continue
    sys.stdout.buffer.write(base64.b64encode(msgpack.packb(answer)) + b"\n")
    sys.stdout.buffer.flush()
