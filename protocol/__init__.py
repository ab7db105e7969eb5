"""Protocol 1: how a referee and a bot talk. It must not know the arena."""

from __future__ import annotations

from protocol.codec import MAX_LINE, LineSplitter, decode, encode
from protocol.messages import (
    CARDS,
    PROTOCOL,
    CardAnswer,
    CardsAnswer,
    Ready,
    answer,
    answer_line,
    read_answer,
    ready_line,
)
from protocol.packing import Value
from protocol.refusal import BadMessage, Refusal, printable

__all__ = [
    "CARDS",
    "MAX_LINE",
    "PROTOCOL",
    "BadMessage",
    "CardAnswer",
    "CardsAnswer",
    "LineSplitter",
    "Ready",
    "Refusal",
    "Value",
    "answer",
    "answer_line",
    "decode",
    "encode",
    "printable",
    "read_answer",
    "ready_line",
]
