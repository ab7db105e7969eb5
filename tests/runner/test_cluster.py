"""What is asked of a cluster: addresses, certificates, sandboxes, and what hosts are told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.cluster.bridge_lines import Tls
from arena.errors import UsageError
from arena.league.reader import read_league
from arena.referee.jobs import Setup
from arena.runner.cluster import OnCluster, check_cluster, connect_of, keep_apart
from arena.sandbox import Limits, Sandbox
from tests.cluster_engine import make_certificates, needs_openssl
from tests.running import make_league
from tests.store.samples import TERMS

SETUP = Setup((), TERMS, 4, 1, False, "1")


@pytest.fixture
def tls(tmp_path: Path) -> Tls:
    made = make_certificates(tmp_path / "tls", "client")
    return Tls(str(made.ca), str(made.cert("client")), str(made.key("client")))


@pytest.mark.parametrize(
    "address",
    [
        "scheduler:8786",
        "tls://scheduler",
        "http://h:1",
        "tls://:8786",
        "tls://h:x",
        "tls://[::1",
        "tls://h\u2100:1",
        "",
    ],
)
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(UsageError, match=r"expected a scheduler's address, such as tls://scheduler:8786"):
        check_cluster(OnCluster(address), "auto")


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "tcp://localhost:1", "tcp://[::1]:1", "tcp://127.3.2.1:1"]
)
def test_this_machine_alone_needs_no_tls_and_no_sandbox(address: str) -> None:
    assert check_cluster(OnCluster(address), "off") == ""


@pytest.mark.parametrize("address", ["tcp://10.0.0.1:1", "tcp://0.0.0.0:1", "tcp://far:1"])
def test_beyond_this_machine_tls_is_needed_unless_it_is_said_aloud(address: str) -> None:
    with pytest.raises(UsageError, match=r"needs TLS: .* To do without even so: \[cluster\] insecure = true"):
        check_cluster(OnCluster(address), "auto")
    assert "WARNING: [cluster] insecure" in check_cluster(OnCluster(address, insecure=True), "auto")


@needs_openssl
def test_beyond_this_machine_a_sandbox_is_needed(tls: Tls) -> None:
    assert check_cluster(OnCluster("tls://far:1", tls), "auto") == ""
    with pytest.raises(UsageError, match=r"needs a sandbox: without one bots control its machines\. To do"):
        check_cluster(OnCluster("tls://far:1", tls), "off")


@needs_openssl
def test_tls_needs_files_that_are_there_and_go_together(tls: Tls, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a certificate is needed: \[cluster\] tls of the league file"):
        check_cluster(OnCluster("tls://far:1"), "auto")
    other = make_certificates(tmp_path / "other", "client")
    text = tmp_path / "text"
    text.write_text("this is no certificate")
    wrong = {
        f"{text}: expected the certificate of an authority, in PEM": replace(tls, ca=str(text)),
        f"{text} and {tls.key}: expected a certificate and its key": replace(tls, cert=str(text)),
        f"{tls.cert} and {other.key('client')}: expected a": replace(tls, key=str(other.key("client"))),
        f"{tmp_path}: it cannot be read: Is a directory": replace(tls, key=str(tmp_path)),
        f"{tmp_path}/none: there is no such file": replace(tls, key=f"{tmp_path}/none"),
    }
    for said, files in wrong.items():
        with pytest.raises(UsageError, match=re.escape(f"--on tls://far:1: {said}")):
            check_cluster(OnCluster("tls://far:1", files), "auto")


@needs_openssl
@pytest.mark.parametrize(("address", "far"), [("tcp://127.0.0.1:1", False), ("tls://far:1", True)])
def test_hosts_are_told_nothing_of_this_machine(address: str, far: bool, tmp_path: Path, tls: Tls) -> None:
    loaded = read_league(make_league(tmp_path))
    sandbox = Sandbox("/usr/bin/bwrap", (1, 1), True, Limits())
    command = BotCommand(
        "b0",
        ("{python}", "bot.py"),
        str(tmp_path / "copies/digest0"),
        sandbox=sandbox,
        cgroup="/x",
        cores=(1,),
    )
    connect = connect_of(OnCluster(address, tls), loaded, [command], SETUP, ("auto", True))
    [told] = connect.order.setup.commands
    assert (told.folder, told.sandbox, told.cgroup, told.cores) == ("digest0", None, None, ())
    assert connect.bundles == {"digest0": command.folder}
    assert (connect.order.setup.core, connect.order.allow_broken) == (None, True)
    assert connect.order.sandbox.needed == connect.order.pinned == far
    assert str(tmp_path) not in str(connect.order)


def test_a_bridge_that_cannot_be_kept_apart_is_said_aloud(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said: list[str] = []
    loaded = read_league(make_league(tmp_path))
    connect = connect_of(OnCluster("tcp://127.0.0.1:1"), loaded, [], SETUP, ("off", False))
    assert keep_apart(connect, said.append) is None
    assert "the secret of the deals" in said[0]
