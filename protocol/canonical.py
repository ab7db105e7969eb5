"""The quick way to read the answer that nearly every question gets: compared, not unpacked.

It recognises the canonical answer only. Every other line is left to `messages.read_answer`.
"""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from typing import Final

from protocol.messages import CARDS
from protocol.packing import pack

_encoded: Final = b2a_base64  # bound once, to save a lookup for each answer

# The canonical {"type": "card", "id": ..., "card": ...} with an id of 12 characters (0xac begins
# such a text). Base64 turns three bytes into four characters. The pieces below are whole groups of three
# bytes, so they are compared as base64, without decoding the line.
_ID_SIZE: Final = 12
_CARD_LINE_HEAD: Final = b2a_base64(b"\x83\xa4type\xa4card\xa2id\xac", newline=False)
_CARD_BY_LINE_TAIL: Final = {b2a_base64(pack("card") + pack(card)): card for card in CARDS}
# The pieces of {"type": "cards", "id": ..., "cards": [...]} are no whole groups of three bytes.
_CARDS_HEAD: Final = b"\x83\xa4type\xa5cards\xa2id\xac"
_CARDS_KEY: Final = b"\xa5cards"
_SMALL_ARRAY: Final = 0x90
_SMALL_ARRAYS: Final = 16
_SMALL_TEXT: Final = 0xA0
_CARD_BY_PACKED: Final = {pack(card): card for card in CARDS}


def canonical_card(line: bytes, question_id: str) -> str | None:
    r"""Return the card of a line that is exactly the canonical answer to this question, else None.

    The line includes its `\n`. Nearly all answers are canonical, and comparing takes a tenth of the time of
    `read_answer`. None leaves everything else to `read_answer`, answers with ids of other than 12 bytes
    included.
    """
    name = question_id.encode()
    head = _CARD_LINE_HEAD + _encoded(name)[:-1]  # `newline=False` takes longer
    if not line.startswith(head) or len(name) != _ID_SIZE:
        return None
    return _CARD_BY_LINE_TAIL.get(line[len(head) :])


def canonical_cards(line: bytes, question_id: str) -> tuple[str, ...] | None:
    """Return the cards of the canonical answer to a `pass`, at most 15, else None; see `canonical_card`."""
    try:
        data = a2b_base64(line)
    except Base64Error:
        return None
    name = question_id.encode()
    head = _CARDS_HEAD + name + _CARDS_KEY
    # The decoder skips foreign characters, so the bytes are encoded again to see that the line was canonical.
    if len(name) != _ID_SIZE or not data.startswith(head) or _encoded(data) != line:
        return None
    at = len(head)
    count = data[at] - _SMALL_ARRAY if at < len(data) else -1
    if not 0 <= count < _SMALL_ARRAYS:
        return None
    at += 1
    cards = []
    while at < len(data):
        size = data[at] - _SMALL_TEXT
        card = _CARD_BY_PACKED.get(data[at : at + 1 + size]) if size > 0 else None
        if card is None:
            return None
        cards.append(card)
        at += 1 + size
    return tuple(cards) if len(cards) == count else None
