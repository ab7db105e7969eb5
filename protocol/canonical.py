"""The quick way to read the answer that nearly every question gets: compared, not unpacked.

Whatever is not exactly that is for `messages.read_answer`.
"""

from __future__ import annotations

from binascii import b2a_base64
from typing import Final

from protocol.messages import CARDS
from protocol.packing import pack

__all__ = ["canonical_card"]

# The canonical {"type": "card", "id": ..., "card": ...} with an id of 12 characters (0xac begins
# such a text).
# Its pieces are whole groups of three bytes, so that they can be compared without undoing their base64.
_ID_SIZE: Final = 12
_CARD_LINE_HEAD: Final = b2a_base64(b"\x83\xa4type\xa4card\xa2id\xac", newline=False)
_CARD_BY_LINE_TAIL: Final = {b2a_base64(pack("card") + pack(card)): card for card in CARDS}


def canonical_card(line: bytes, question_id: str) -> str | None:
    r"""The card of a line, `\n` included, that is the canonical answer to this question and nothing else.

    Nearly all answers are; comparing takes a tenth of the time of `read_answer`, which None leaves
    everything else to, ids of other than 12 ASCII characters included.
    """
    head = _CARD_LINE_HEAD + b2a_base64(question_id.encode(), newline=False)
    if not line.startswith(head) or len(question_id) != _ID_SIZE:
        return None
    return _CARD_BY_LINE_TAIL.get(line[len(head) :])
