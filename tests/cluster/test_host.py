"""A host process and its folder: bots are made ready and played there, until its input or lease ends."""

from __future__ import annotations

import base64
import os
import shutil
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from arena import __version__
from arena.bot.channel import PipeChannel
from arena.bot.launch import BotCommand
from arena.bot.snapshot import folder_digest
from arena.cluster.bundles import pieces
from arena.cluster.frames import (
    CLUSTER_LINES,
    LEASE_SECONDS,
    Frame,
    Order,
    read_frame,
    write_frame,
)
from arena.cluster.host import Host
from arena.cluster.host_folder import FOLDER, UNUSED_SECONDS, HostFolder
from arena.referee.jobs import (
    Setup,
)
from arena.referee.line_stream import LineStream
from tests.running import make_bot, make_league
from tests.store.samples import TERMS

PATIENCE = 120.0
SECRET = "the-worker-has-this"
needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


class Running:
    """A host process, and the folders of bots that a run would have."""

    def __init__(self, process: subprocess.Popen[bytes], bots: dict[str, Path]) -> None:
        self.process = process
        self._bots = bots

    def tell(self, *frames: Frame) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(map(write_frame, frames)))
        self.process.stdin.flush()

    def order(self, order: Order) -> None:
        self.tell(Frame(0, "order", 0, CLUSTER_LINES.write(order)))

    def until(self, *kinds: str) -> list[Frame]:
        """What it says until one of these kinds. It is sent what it needs."""
        found: list[Frame] = []
        deadline = time.monotonic() + PATIENCE
        while not found or found[-1].kind not in kinds:
            assert self.process.stdout is not None
            # It says at least that it is alive.
            assert time.monotonic() < deadline, found
            line = self.process.stdout.readline()
            assert line, found
            frame = read_frame(line)
            if frame.kind == "need":
                for piece in pieces(self._bots[frame.body.decode()], 1000):
                    self.tell(Frame(0, "piece", 1, base64.b64encode(piece)))
                self.tell(Frame(0, "piece", 0))
            if frame.kind != "alive":
                found.append(frame)
        return found


@contextmanager
def host(folder: Path, bots: dict[str, Path], *options: str) -> Iterator[Running]:
    with subprocess.Popen(
        [sys.executable, "-m", "arena.cluster", "host", *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder,
        env={**os.environ, FOLDER: str(folder), "SECRET": SECRET},
    ) as process:  # fmt: skip
        try:
            yield Running(process, bots)
        finally:
            process.stdin.close()  # type: ignore[union-attr]
            assert process.wait(30) == 0


def order_of(
    *folders: Path, sandbox: str = "off", read_only: tuple[str, ...] = ()
) -> tuple[Order, dict[str, Path]]:
    """An order for bots in these folders, and the folders by their digests."""
    bots = {folder_digest(folder): folder for folder in folders}
    commands = tuple(
        BotCommand(f"bot-{number}", ("{python}", "bot.py"), digest, start_ms=20_000)
        for number, digest in enumerate(bots)
    )
    terms = replace(TERMS, move_ms=60_000)
    setup = Setup(commands, terms, 3, None, arena=__version__)
    return Order(setup, sandbox, far=False, processes=64, read_only=read_only), bots


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    make_league(tmp_path / "league", bots=3)
    return [tmp_path / "league" / "bots" / f"b{number}" for number in range(3)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "host"
    made.mkdir()
    return made


@pytest.mark.slow
def test_a_host_that_cannot_play_says_why(folder: Path, three: list[Path]) -> None:
    order, bots = order_of(*three)
    make_bot(three[0], "raise SystemExit('I am broken')")
    broken, more = order_of(*three)
    for asked, words in (
        (
            replace(order, setup=replace(order.setup, arena="0.0.1")),
            "the run's arena is 0.0.1, this",
        ),
        (replace(order, far=True), "plays without a sandbox, and not on this machine alone"),
        (broken, "I am broken"),
    ):
        with host(folder, {**bots, **more}) as run:
            run.order(asked)
            told = run.until("unready", "ready")
            assert told[0].kind == "facts"
            assert told[-1].kind == "unready"
            assert words in told[-1].text
    with host(folder, more) as run:
        run.order(replace(broken, allow_broken=True))
        said = [frame.text for frame in run.until("ready") if frame.kind == "say"]
        assert "1 of 3 bots is not ready" in said[-1]


INMATE = """
import os, pathlib, socket, sys
sys.path.insert(0, os.environ.get("SDK", ""))
wrong = []
for path in {paths!r}:
    try:
        if os.path.isfile(path) and open(path, "rb").read():
            wrong.append("it reads " + path)
    except OSError:
        pass
try:
    socket.create_connection(("127.0.0.1", {port}), 2)
    wrong.append("it reaches a port of its host")
except OSError:
    pass
for entry in pathlib.Path("/proc").iterdir():
    if entry.name.isdecimal():
        try:
            words = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if {secret!r}.encode() in words or b"referee" in words:
            wrong.append("it sees " + repr(words))
if {secret!r} in repr(dict(os.environ)):
    wrong.append("its environment tells")
if wrong:
    raise SystemExit("; ".join(wrong))
"""


@needs_bubblewrap
@pytest.mark.slow
def test_a_bot_sees_no_certificate_no_port_and_no_key(
    folder: Path, three: list[Path], tmp_path: Path
) -> None:
    """Even where the certificate lies in a folder that the league shows to bots."""
    shown = tmp_path / "shown"
    (shown / "certificates").mkdir(parents=True)
    key = shown / "certificates" / "key.pem"
    key.write_text("key")
    key.chmod(0o644)
    for one in (tmp_path, shown, shown / "certificates"):
        one.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        source = (three[0] / "bot.py").read_text()
        inmate = INMATE.format(paths=[str(key), str(folder)], port=port, secret=SECRET)
        make_bot(three[0], textwrap.dedent(inmate) + source)
        order, bots = order_of(*three, sandbox="require", read_only=(str(shown),))
        with host(folder, bots, "--hide", str(shown / "certificates")) as run:
            run.order(order)
            told = run.until("unready", "ready")[-1]
            assert told.kind == "ready", told.text
        # What it would say if it saw something: the test can fail.
        with host(folder, bots) as run:
            run.order(order)
            told = run.until("unready", "ready")[-1]
            assert told.kind == "unready"
            assert f"it reads {key}" in told.text


async def test_it_ends_when_its_lease_is_not_renewed(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    to_it, of_it = os.pipe(), os.pipe()
    stream = LineStream(PipeChannel(of_it[1], to_it[0]))
    process = Host(stream, HostFolder(tmp_path), ())
    autojump_clock.autojump_threshold = 0.05
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(process.run)
        for _ in range(3):
            await trio.sleep(LEASE_SECONDS - 1)
            os.write(to_it[1], write_frame(Frame(0, "lease")))
    assert 4 * LEASE_SECONDS - 3 <= trio.current_time() - began <= 4 * LEASE_SECONDS + 6
    for descriptor in (to_it[1], of_it[0]):
        os.close(descriptor)
    stream.close()


@pytest.fixture
def kept(tmp_path: Path) -> HostFolder:
    made = HostFolder(tmp_path / "host")
    made.make()
    return made


def test_only_a_digest_names_a_bundle(kept: HostFolder) -> None:
    assert kept.bundle("0a" * 32) == kept.path / "bundles" / ("0a" * 32)
    for name in ("", "..", "../" + "a" * 61, "A" * 64, "a" * 63, "a" * 64 + "\n"):
        with pytest.raises(ValueError, match="no digest"):
            kept.bundle(name)


def test_what_nobody_has_used_for_long_is_removed(kept: HostFolder) -> None:
    old, new, half = "a" * 64, "b" * 64, ".making-x"
    for store in (kept.path / "bundles", kept.built):
        for name in (old, new, half):
            (store / name).mkdir()
            (store / name / "file").touch(0o444)
    for name in (old, new):
        (kept.built / f"{name}.log").touch()
        (kept.built / f"{name}.mark").touch()
    long_ago = time.time() - UNUSED_SECONDS - 60
    for path in kept.path.rglob("*"):
        os.utime(path, (long_ago, long_ago))
    kept.tidy([kept.path / "bundles" / new, kept.built / new, kept.built / "gone"])
    assert [path.name for path in (kept.path / "bundles").iterdir()] == [new]
    assert sorted(path.name for path in kept.built.iterdir()) == [new, f"{new}.mark"]
