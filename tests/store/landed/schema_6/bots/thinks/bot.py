import sys
import time
from base64 import b64decode, b64encode

import msgpack

PLACE = 0
RARE = {"P19", "P20"}

for line in sys.stdin.buffer:
    message = msgpack.unpackb(b64decode(line))
    answer = {"type": "", "id": message.get("id")}
    if message["type"] == "hello":
        answer |= {"type": "ready", "name": "thinks", "version": "1"}
    elif message["type"] == "pass":
        # Once in a process. With other programs on its core this takes longer than a second.
        while set(message["hand"]) >= RARE and time.process_time() < 0.8:
            pass
        answer |= {"type": "cards", "cards": message["hand"][: message["count"]]}
    elif message["type"] == "play":
        answer |= {"type": "card", "card": message["legal"][PLACE]}
    if answer["type"]:
        sys.stdout.buffer.write(b64encode(msgpack.packb(answer)) + b"\n")
        sys.stdout.buffer.flush()
