"""The documents that say what a season is: the S keys, G keys and F keys of a league, as plain JSON data.

The store keeps them, the season digest covers them, and a changed league file is compared with them. They are
computed from the classes on the model's fields, so that no key can be forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.league.cycles import cycles_of
from arena.league.describe import LISTS, all_keys, shown
from arena.league.fieldtypes import KeyClass
from arena.league.house import field_of, line_ups_of
from arena.league.model import League

Document = dict[str, object]
"""A map of sections to keys to values.

`bots` is a list of tables in the order of the file, each with its `id`.
"""


@dataclass(frozen=True, slots=True)
class Change:
    """A key that differs, such as "time.move_seconds" or "bots.duck.command".

    None means that it is not there. `remark`: what to do about it, if there is something special.
    """

    key: str
    old: object
    new: object
    remark: str = ""

    def __str__(self) -> str:
        return f"{self.text}: {self.remark}" if self.remark else self.text

    @property
    def text(self) -> str:
        """Return what has changed, without what to do about it."""
        if _is_bot(self.key):
            return f"{self.key}: {'added' if self.old is None else 'removed'}"
        if self.key.startswith("bots.") and self.key.endswith(".digest"):
            return f"{self.key}: {shown(self.old)} -> {shown(self.new)}: a file in its folder was changed"
        return f"{self.key}: {shown(self.old) or 'not given'} -> {shown(self.new) or 'not given'}"


def season_document(league: League, bot_digests: Mapping[str, str]) -> Document:
    """Return what the season is: every S key with its resolved value, and the field's digests.

    In an open league it holds no bots, for they may change. Else each bot of the field has its `digest`,
    which `bot_digests` has by bot id; raises KeyError for a bot without one. `line_ups` is never "auto".
    """
    field = field_of(league)
    document = _document(league.model_copy(update={"bots": field}), KeyClass.SEASON)
    document["schedule"] = {**_table(document["schedule"]), "line_ups": line_ups_of(league)}
    if league.league.open:
        del document["bots"]
        return document
    document["bots"] = [
        {**bot, "digest": bot_digests[model.id]} for bot, model in zip(_bots(document), field, strict=True)
    ]
    return document


def growing_document(league: League) -> Document:
    """Return the G keys with their values; `cycles` is never "auto"."""
    document = _document(league, KeyClass.GROWS)
    document["schedule"] = {**_table(document["schedule"]), "cycles": cycles_of(league)}
    return document


def free_document(league: League) -> Document:
    """Return the F keys with their values."""
    return _document(league, KeyClass.FREE)


def changed_keys(old: Mapping[str, object], new: Mapping[str, object]) -> list[Change]:
    """Return what differs between two documents of the same kind, sorted by key. Bots are compared by id.

    A bot that came or went is one change, `bots.<id>`. `bots` alone stands for another order of the same
    bots.
    """
    before, after = _flat(old), _flat(new)
    came_or_went = {key for key in before.keys() ^ after.keys() if _is_bot(key)}
    changes = []
    for key in sorted(before.keys() | after.keys()):
        if key not in came_or_went and (key.rpartition(".")[0] in came_or_went or _is_bot(key)):
            continue
        if before.get(key) != after.get(key):
            changes.append(Change(key, before.get(key), after.get(key)))
    if came_or_went:  # the lists differ then anyway, so `bots` says nothing more
        changes = [change for change in changes if change.key != "bots"]
    return changes


def _document(league: League, klass: KeyClass) -> Document:
    values = league.model_dump(mode="json")
    names: dict[str, list[str]] = {}
    for key in all_keys().values():
        if key.klass is klass:
            names.setdefault(key.section, []).append(key.name)
    document: Document = {}
    for section, wanted in names.items():
        content = values[section]
        if section in LISTS:
            kept = ["id", *wanted] if section == "bots" else wanted
            document[section] = [{name: table[name] for name in kept} for table in content]
        else:
            document[section] = {name: content[name] for name in wanted}
    if not league.stages:
        document.pop("stages", None)
    return document


def _flat(document: Mapping[str, object]) -> dict[str, object]:
    flat: dict[str, object] = {}
    for section in document:
        if section == "bots":
            bots = _bots(document)
            flat["bots"] = [bot["id"] for bot in bots]
            for bot in bots:
                flat[f"bots.{bot['id']}"] = bot
                flat.update({f"bots.{bot['id']}.{key}": value for key, value in bot.items()})
        elif section == "stage":
            continue  # which one it is follows from how the one before ended
        elif section == "stages":
            for number, stage in enumerate(_tables(document, section), start=1):
                flat.update({f"stages.{number}.{key}": value for key, value in stage.items()})
        else:
            flat.update({f"{section}.{key}": value for key, value in _table(document[section]).items()})
    return flat


def _is_bot(key: str) -> bool:
    return key.startswith("bots.") and key.count(".") == 1


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"a section of a season document is a table, not {type(value).__name__}")
    return value


def _bots(document: Mapping[str, object]) -> list[dict[str, object]]:
    return _tables(document, "bots")


def _tables(document: Mapping[str, object], section: str) -> list[dict[str, object]]:
    tables = document[section]
    if not isinstance(tables, list):
        raise TypeError(f"the {section} of a season document are a list, not {type(tables).__name__}")
    return [_table(one) for one in tables]
