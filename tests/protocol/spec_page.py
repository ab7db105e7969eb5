"""The parts of SPEC.md that are made from the schema and the code, and how a page is brought up to date.

A part stands between `<!-- made: NAME -->` and `<!-- end -->`. Everything else on the page is written
by hand and must be left alone. Run as a module, this brings the page up to date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from arena.match.fault_wording import FaultSentence
from protocol.codec import encode
from protocol.messages import read_answer
from protocol.packing import Value
from protocol.refusal import BadMessage, Refusal
from tests.protocol.shapes import EventShape, Key, MessageShape, event_shapes, message_shapes

_PART = re.compile(r"(<!-- made: ([\w-]+) -->\n).*?(?=<!-- end -->)", re.DOTALL)

PAGE = Path(__file__).parents[2] / "protocol" / "SPEC.md"
_MOST_SHOWN = 5
"""The most items of a list that a table of keys shows: a hand is wider than a page."""


def parts() -> dict[str, str]:
    """Return every part, by name, as Markdown."""
    messages = message_shapes()
    sentences = [(f"`{one.kind}`", one.shown(lambda value: f"*{value}*")) for one in FaultSentence]
    made = {message.name: _message(message) for message in messages}
    return {
        "messages": _overview(messages),
        **made,
        "events": _events(event_shapes()),
        "refusals": _refusals(),
        "sentences": table(("fault", "sentence"), sentences),
    }


def filled(page: str) -> str:
    """Return the page with all its parts made anew."""
    made = parts()
    assert sorted(made) == sorted(name for _, name in _PART.findall(page)), "each stands on the page once"
    return _PART.sub(lambda match: f"{match[1]}{made[match[2]]}", page)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, with even columns so that it can be read as text.

    Only the last column is not padded.
    """
    lines = [[cell.replace("|", "\\|") for cell in line] for line in [head, *rows]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head) - 1)]
    text = ["| " + " | ".join([*map(str.ljust, line[:-1], widths), line[-1]]) + " |" for line in lines]
    rule = "|" + "|".join("-" * (width + 2) for width in [*widths, len(head[-1])]) + "|"
    return "\n".join([text[0], rule, *text[1:]]) + "\n"


def _overview(messages: Sequence[MessageShape]) -> str:
    asked = {message.answer: f"(is one, to `{message.name}`)" for message in messages if message.answer}
    return table(
        ("message", "from", "answer", "what it says"),
        (
            (
                f"[`{message.name}`](#{_anchor(message)})",
                message.sender,
                f"`{message.answer}`" if message.answer else asked.get(message.name, "none"),
                message.meaning,
            )
            for message in messages
        ),
    )


def _anchor(message: MessageShape) -> str:
    """Return the anchor of the message's heading on the page, as `title` writes it."""
    # The rule by which Markdown renderers make the anchor of a heading.
    words = re.sub(r"[^\w -]", "", title(message)).lower()
    return words.replace(" ", "-")


def title(message: MessageShape) -> str:
    """Return the heading of a message's section."""
    if message.sender == "bot":
        return message.name
    return f"{message.name} ({f'answer: {message.answer}' if message.answer else 'no answer'})"


def _message(message: MessageShape) -> str:
    text = [_keys(message.keys)]
    for number, example in enumerate(message.examples):
        more = [f"`{key}`" for key in example if key not in message.examples[0]]
        if number:
            other = "Another bot" if message.sender == "bot" else "In another match"
            text.append(f"\n{other}, with {', '.join(more)}:\n")
        text.append(f"\n```json\n{_json(example)}\n```\n```line\n{encode(example).decode().strip()}\n```\n")
    return "".join(text)


def _keys(keys: Iterable[Key]) -> str:
    return table(
        ("key", "type", "range", "example", "meaning"),
        (
            (
                f"[`{key.name}`]" if key.optional else f"`{key.name}`",
                key.type,
                key.range,
                f"`{_cut(key.example)}`",
                key.meaning,
            )
            for key in keys
        ),
    )


def _events(events: Iterable[EventShape]) -> str:
    return table(
        ("event", "keys", "example", "meaning"),
        (
            (
                f"`{event.name}`",
                " ".join(f"[`{key.name}`]" if key.optional else f"`{key.name}`" for key in event.keys),
                f"`{_json({key.name: key.example for key in event.keys if not key.optional})}`",
                event.meaning,
            )
            for event in events
        ),
    )


def _refusals() -> str:
    details = _details()
    return table(
        ("reason of a `bad_message`", "sentence", "behind it, for example"),
        ((f"`{refusal.name}`", refusal.sentence, _code(details.get(refusal, ""))) for refusal in Refusal),
    )


def _details() -> dict[Refusal, str]:
    """Return, for each reason that says more, what it says of the first test vector that makes it."""
    text = files("protocol").joinpath("vectors", "refused.json").read_text(encoding="utf-8")
    found: dict[Refusal, str] = {}
    for case in json.loads(text):
        line = case["line"].encode() if "line" in case else bytes.fromhex(case["line_hex"])
        try:
            read_answer(line)
        except BadMessage as refused:
            if refused.detail:
                found.setdefault(refused.reason, refused.detail)
    return found


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _cut(example: Value) -> str:
    """Return the example of a key as JSON, a long list cut short: the whole message below has it whole."""
    match example:
        case [{"event": event}, *others]:
            return f'[{{"event": {_json(event)}, …}}{", …" if others else ""}]'
        case [*items] if len(items) > _MOST_SHOWN:
            return f"{_json(items[: _MOST_SHOWN - 1])[:-1]}, …]"
        case _:
            return _json(example)


def _json(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
