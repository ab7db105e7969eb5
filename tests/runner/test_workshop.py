"""The workshop of an open league's run: real folders; what is being played is left alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bot.build import Builder
from arena.bot.launch import BotCommand
from arena.errors import BotFolderError
from arena.runner.newcomers import Workshop
from arena.store.views import Entry
from tests.open_played import OpenPlay
from tests.running import enter, leave, make_open_league


class Shop:
    """The workshop of a league of two bots without processes. `in_use`: what is said to be played."""

    def __init__(self, played: OpenPlay) -> None:
        self.played = played
        self.in_use: set[str] = set()
        self.said: list[str] = []
        self.builder = Builder(played.loaded.arena_folder / "built", self.said.append)
        self.workshop = Workshop(played.loaded, played.arrivals, self.builder, tuple, lambda: self.in_use)

    async def entry(self, bot: str) -> Entry:
        """The version of a bot that is there now."""
        self.played.arrivals.saw(await self.workshop.look())
        return next(one for one in self.played.arrivals.wanted() if one.bot.startswith(bot))

    def command(self, entry: Entry) -> BotCommand:
        (command,) = self.played.arrivals.commands([entry])
        return command


def text(folder: str, file: str) -> str:
    return Path(folder, file).read_text()


def damage(folder: str) -> None:
    """Write into a copy, as a bot without a sandbox can."""
    file = Path(folder, "bot.py")
    file.chmod(0o644)
    file.write_text("raise SystemExit")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    monkeypatch.setattr("arena.runner.newcomers.BUILD_NICE", 19)  # Other tests' builds do not give way.
    league = make_open_league(tmp_path, bots=2)
    with (tmp_path / "entries/b1/bot.toml").open("a") as file:
        gentle = "until [ $(cut -d' ' -f19 /proc/self/stat) = 19 ]; do sleep 0.05; done"
        file.write(f'build = ["sh", "-c", "{gentle}; nproc > cores"]\n')
    with OpenPlay(league) as played:
        yield Shop(played)


async def test_a_bot_is_copied_and_built_on_one_core_with_the_least_priority(shop: Shop) -> None:
    plain, built = await shop.entry("b0"), await shop.entry("b1")
    assert await shop.workshop.is_ready(plain)
    assert text(shop.command(plain).folder, "bot.py")
    assert not await shop.workshop.is_ready(built)
    assert await shop.workshop.build(built) is None
    assert await shop.workshop.is_ready(built)
    assert text(shop.builder.folder_of(shop.command(built)), "cores") == "1\n"
    assert len(shop.said) == 1


async def test_what_is_being_played_is_left_alone_whatever_is_in_it(shop: Shop) -> None:
    plain, built = await shop.entry("b0"), await shop.entry("b1")
    for entry in (plain, built):
        await shop.workshop.is_ready(entry)
        await shop.workshop.build(entry)
        folder = shop.builder.folder_of(shop.command(entry))
        damage(folder)
        shop.in_use.add(folder)
        assert await shop.workshop.is_ready(entry)
        assert text(folder, "bot.py") == "raise SystemExit"
    shop.in_use.clear()
    assert await shop.workshop.is_ready(plain)
    assert "raise SystemExit" not in text(shop.command(plain).folder, "bot.py")
    assert not await shop.workshop.is_ready(built), "it is built again"


async def test_a_folder_that_has_changed_since_it_was_seen_is_not_taken(shop: Shop) -> None:
    seen = await shop.entry("b0")
    enter(shop.played.loaded.path, "b0", 3)
    with pytest.raises(BotFolderError, match="being changed"):
        await shop.workshop.is_ready(seen)
    leave(shop.played.loaded.path, "b0")
    with pytest.raises(BotFolderError, match="no such folder"):
        await shop.workshop.is_ready(seen)
