"""`arena play --me` on pages, as the command does it: real bots, real sockets, and no browser."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.verify.match_file import read_match_file
from tests.cli.calling import Arena
from tests.cluster_engine import make_certificate, needs_openssl
from tests.people.reader import Reader
from tests.running import make_league
from tests.seated import PATIENCE, Page, PageMatch

FREE = ("--sandbox", "off", "--insecure", "--port", "0")
MATCH = ("--me", "sharp", "count", "duck", "--rounds", "1", "--seed", "a", *FREE)


def test_a_match_over_http_with_nothing_hidden_in_what_is_sent_and_bots_in_the_sandbox(
    tmp_path: Path,
) -> None:
    kept = tmp_path / "match.json"
    in_sandbox = (
        "--me",
        "--league",
        str(make_league(tmp_path, sandbox="off")),
        "--rounds",
        "1",
        "--port",
        "0",
    )
    caged = shutil.which("bwrap") is not None
    with PageMatch(*(in_sandbox if caged else MATCH), "--keep", str(kept)) as match:
        page = Page(match.address)
        assert page.enter() == 204
        page.play()
        states = [
            json.loads(line.removeprefix(b"data: ")) for line in page.sent if line.startswith(b"data: ")
        ]
        status, headers, file = page.ask("GET", "match.json")
        assert (status, headers["content-disposition"]) == (200, 'attachment; filename="papayoo.json"')
        assert page.ask("GET", "match.html")[0] == 200
        assert match.end(signal.SIGINT) == 0, "all was over"
    reader = Reader()
    for state in states:
        reader.read(state)
    assert len(states) > 30
    if caged:
        assert "although" in match.said[0], "the league file says otherwise"
        assert read_match_file(file).record.sandbox != "off"
    record = read_match_file(file).record
    assert record.setup.no_clock == (0,)
    assert [seat.points for seat in record.seats] == [seat["points"] for seat in states[-1]["result"]]
    assert kept.read_bytes() == file
    assert f"kept: arena replay {kept}\n" in match.said


def test_a_kept_match_is_replayed_and_reviewed(arena: Arena, tmp_path: Path) -> None:
    kept = tmp_path / "match.json"
    called = arena(
        "play", "duck", "low", "sharp", "--rounds", 1, "--seed", "a", "--sandbox", "off", "--keep", kept
    )
    assert called.code == 0
    assert "Duck" in arena("replay", kept, "--text").out
    called = arena("play", "duck", "low", "sharp", "--keep", tmp_path / "no" / "where.json", "--rounds", 1)
    assert f"--keep: {tmp_path / 'no' / 'where.json'}: no file can be written there" in called.err


def test_without_a_sandbox_no_bots_run_beside_a_page(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = make_league(tmp_path, sandbox="off")
    monkeypatch.setenv("PATH", "/nowhere")
    called = arena("play", "--me", "--league", league, "--rounds", "1", "--port", "0", "--no-open")
    assert (called.code, called.out) == (2, "")
    assert "--insecure with bots that you trust" in called.err


@pytest.mark.slow
def test_ctrl_c_in_the_middle_ends_the_match(arena: Arena) -> None:
    with PageMatch(*MATCH) as match:
        page = Page(match.address)
        page.enter()
        page.play(3)
        assert match.end(signal.SIGINT) == 130
    assert match.said[-1] == "You have left the table, and with that the match is over.\n"
    assert "Traceback" not in "".join(match.said)


@pytest.mark.slow
def test_whoever_stays_away_is_played_for_and_all_are_told() -> None:
    words = ("--me", "--me", "--name", "Ann", "--name", "Ben", "duck", "--rounds", "1", "--seed", "a")
    with PageMatch(*words, *FREE, "--away-minutes", "0.02", people=2) as match:
        ann, ben = Page(match.addresses[0]), Page(match.addresses[1])
        assert (ann.enter(), ben.enter()) == (204, 204)
        with ThreadPoolExecutor() as pool:
            playing = pool.submit(ben.play)
            ann.play(0)  # the page is open for a moment: the match begins
            state = playing.result()
        assert state["notes"] == [{"what": "away", "seat": 0, "why": ""}]
        told = "Ann was away too long: the stand-in plays the cards to the end of the match.\n"
        assert match.said.count(told) == 1
        match.until(lambda: "Faults of Ann (seat 0)" in match.out, "the faults")


@needs_openssl
@pytest.mark.slow
def test_with_tls_for_other_machines(tmp_path: Path) -> None:
    files = make_certificate(tmp_path / "tls")
    tls = ("--tls-cert", str(files / "cert.pem"), "--tls-key", str(files / "key.pem"))
    with PageMatch(*MATCH, "--host", "localhost", *tls) as match:
        assert match.address.startswith("https://localhost:")
        trusting = ssl.create_default_context(cafile=str(files / "cert.pem"))
        trusting.check_hostname = False  # the certificate has a name of its own
        page = Page(match.address, trusting)
        assert page.enter() == 204
        assert page.play(2)["hand"]
        plain = Page(match.address.replace("https", "http"))
        with pytest.raises((OSError, http.client.HTTPException)):
            plain.enter()
        assert page.play(1)["hand"], "a connection that speaks no TLS costs nobody anything"


@pytest.mark.slow
def test_a_browser_that_was_opened_outlives_the_match(tmp_path: Path) -> None:
    """The match ends all that it has started and all that these leave behind; a browser is neither."""
    note = tmp_path / "browser"
    browser = tmp_path / "browse"
    goes_on = f"echo $$ > {note}; exec sleep 60"
    browser.write_text(f"#!/bin/sh\necho \"$1\" > {note}.address\nsetsid sh -c '{goes_on}' &\n")
    browser.chmod(0o755)
    with PageMatch(*MATCH, opens=True, environment={"BROWSER": f"{browser} %s"}) as match:
        page = Page(match.address)
        page.enter()
        page.play()
        end = time.monotonic() + PATIENCE
        while not (note.exists() and note.read_text()) and time.monotonic() < end:
            time.sleep(0.05)
        assert match.end(signal.SIGINT) == 0
    assert Path(f"{note}.address").read_text().strip() == match.address
    process = int(note.read_text())
    os.kill(process, 0)
    os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sandbox", "off"), "beside pages bots need the sandbox"),
        (("--host", "box"), "--host sends your cards over the network: give --tls-cert and --tls-key"),
        (("--tls-cert", "c.pem"), "--tls-cert and --tls-key go together"),
        (("--tls-cert", "c.pem", "--tls-key", "k.pem"), "--tls-... are for --host"),
        (("--terminal", "--me"), "one person plays on a terminal"),
        (("--terminal", "--host", "box"), "--host is for pages"),
        (("--name", "Ann", "--name", "Ben"), "2 names for 1 people"),
        (("--name", " "), "a name has 1 to 40 letters"),
        (("--seats", "4"), "--seats is for --league"),
        (("--show",), "--show shows the hands of the others"),
        (("--away-minutes", "0"), "--away-minutes"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(arena: Arena, words: tuple[str, ...], said: str) -> None:
    called = arena("play", "--me", "duck", "low", *words)
    assert called.code == 2
    assert said in called.err
