"""Reads lines of the protocol, in hexadecimal, and writes them again: see README.md one folder up."""

import sys

from papayoo_bot import decode, encode

for case in sys.stdin:
    try:
        sys.stdout.write(encode(decode(bytes.fromhex(case))).decode())
    except ValueError as error:
        print("refused", str(error).splitlines()[0])
