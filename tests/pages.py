"""The pages in docs/: their fenced blocks, and the changes that a page asks its reader to make."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
_SUMMARY = re.compile(r"<summary><b>(.*?)</b>: <code>(.*?)</code></summary>\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page.

    `kind`: the words after the opening fence. `text`: the lines of the block. `about`: the (language, file)
    in the summary above it, if there is one.
    """

    kind: str
    text: str
    about: tuple[str, str] | None = None


def blocks(page: str) -> list[Block]:
    """Return all fenced blocks of a page in docs/, in their order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^```([^\n]*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        summary = _SUMMARY.search(text[: match.start()])
        found.append(Block(match[1], match[2], (summary[1], summary[2]) if summary else None))
    return found


def change(file: Path, diff: str) -> None:
    """Change a file as a reader would: find the place of each part, and put the new lines there."""
    source = file.read_text(encoding="utf-8")
    for part in re.split(r"^@@\n", diff, flags=re.MULTILINE):
        lines = part.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        assert source.count(old) == 1, f"{file.name} should have this once:\n{old}"
        source = source.replace(old, new)
    file.write_text(source, encoding="utf-8")
