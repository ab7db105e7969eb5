"""The parts of protocol/SPEC.md that are made, those about faults included; printed, or put into the page."""

from __future__ import annotations

from pathlib import Path

from arena.errors import UsageError
from arena.match.fault_wording import FaultSentence
from protocol.spec_page import PageError, filled, parts, table

__all__ = ["fill", "made_parts", "parts_markdown"]


def made_parts() -> dict[str, str]:
    """Every part of the page that is made, by name."""
    rows = [(f"`{sentence.kind}`", sentence.shown(lambda value: f"*{value}*")) for sentence in FaultSentence]
    return {**parts(), "sentences": table(("fault", "sentence"), rows)}


def parts_markdown() -> str:
    """All parts, one after another under their names."""
    return "\n".join(f"## {name}\n\n{text}" for name, text in made_parts().items())


def fill(page: Path) -> bool:
    """Make the parts of a page anew; whether that changed it. Raises UsageError."""
    try:
        old = page.read_text(encoding="utf-8")
        new = filled(old, made_parts())
        if new != old:
            page.write_text(new, encoding="utf-8")
    except (OSError, UnicodeDecodeError, PageError) as error:
        raise UsageError(f"{page}: {error}") from error
    return new != old
