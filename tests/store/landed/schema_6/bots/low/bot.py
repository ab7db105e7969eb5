import sys
from base64 import b64decode, b64encode

import msgpack

PLACE = 0

for line in sys.stdin.buffer:
    message = msgpack.unpackb(b64decode(line))
    answer = {"type": "", "id": message.get("id")}
    if message["type"] == "hello":
        answer |= {"type": "ready", "name": "low", "version": "1"}
    elif message["type"] == "pass":
        answer |= {"type": "cards", "cards": message["hand"][: message["count"]]}
    elif message["type"] == "play":
        answer |= {"type": "card", "card": message["legal"][PLACE]}
    if answer["type"]:
        sys.stdout.buffer.write(b64encode(msgpack.packb(answer)) + b"\n")
        sys.stdout.buffer.flush()
