"""The one table of what a league file may ask for and the arena cannot do yet.

A key that is given in the file and listed here is refused by name, never accepted and ignored. When a feature
lands, delete its line: nothing else knows about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.league.describe import shown


@dataclass(frozen=True, slots=True)
class Missing:
    """What of a key is not supported yet.

    Without `works` it is the whole key; else all values but `works`, and in a list all items but these.
    """

    works: tuple[object, ...] = ()

    def refuses(self, value: object) -> bool:
        """Return whether the file asks for something that is missing."""
        items = value if isinstance(value, list) else [value]
        return not all(any(_same(item, good) for good in self.works) for item in items)


def _same(value: object, good: object) -> bool:
    if isinstance(value, list) and isinstance(good, tuple):
        return len(value) == len(good) and all(item in value for item in good)
    return type(value) is type(good) and value == good


NOT_LANDED: Mapping[str, Missing] = {
    "store.url": Missing(works=("sqlite",)),  # of a url, only its scheme is compared
}
"""The keys that are not supported, or not fully, by their dotted path."""


def refused_value(path: str, value: object) -> str | None:
    """Return why a given value is not supported yet, for people, or None when it is.

    `path` is dotted, such as "store.url".
    """
    missing = NOT_LANDED.get(path)
    if missing is None:
        return None
    name = path.partition(".")[2]
    if path == "store.url":
        name, value = "the scheme of url", str(value).partition(":")[0].partition("+")[0]
    if not missing.refuses(value):
        return None
    return f"{name} = {shown(value)} is not supported yet" + _instead(name, value, missing)


def _instead(name: str, value: object, missing: Missing) -> str:
    if not missing.works:
        return "; remove the key"
    if isinstance(value, list):
        return f"; for now any of {', '.join(map(shown, missing.works))}"
    return "; for now: " + " or ".join(f"{name} = {shown(good)}" for good in missing.works)
