"""What is asked of a cluster: addresses, the certificate, sandboxes, and what hosts are told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.cluster.address import OnCluster
from arena.errors import UsageError
from arena.league.reader import read_league
from arena.referee.jobs import Setup
from arena.runner.cluster import check_cluster, connect_of
from arena.sandbox import Limits, Sandbox
from tests.cluster_engine import make_certificate, needs_openssl
from tests.running import make_league
from tests.store.samples import TERMS

SETUP = Setup((), TERMS, 4, 1, "1")


@pytest.fixture
def tls(tmp_path: Path) -> Path:
    return make_certificate(tmp_path / "tls")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.3.2.1"])
def test_this_machine_alone_needs_no_tls_and_no_sandbox(host: str) -> None:
    check_cluster(OnCluster(f"tcp://{host}:1"), "off")


@needs_openssl
def test_tls_needs_files_that_are_there_and_go_together(tls: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a certificate is needed"):
        check_cluster(OnCluster("tls://far:1"), "auto")
    other, text = make_certificate(tmp_path / "other"), tmp_path / "text"
    text.mkdir()
    (other / "key.pem").replace(text / "key.pem")
    (text / "cert.pem").write_text("this is no certificate")
    for folder, said in (
        (text, f"{text}: expected a certificate and its key without a passphrase"),
        (other, f"{other}/key.pem: No such file or directory"),
        (tmp_path / "none", f"{tmp_path}/none/cert.pem: No such file or directory"),
    ):
        with pytest.raises(UsageError, match=re.escape(f"tls://far:1: {said}")):
            check_cluster(OnCluster("tls://far:1", folder), "auto")
    (tls / "key.pem").write_bytes((text / "key.pem").read_bytes())
    with pytest.raises(UsageError, match="expected a certificate and its key"):
        check_cluster(OnCluster("tls://far:1", tls), "auto")


@needs_openssl
def test_whoever_has_the_key_may_read_it_alone_and_it_is_made_once(tls: Path) -> None:
    assert (tls / "key.pem").stat().st_mode & 0o077 == 0
    assert tls.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("address", "far"), [("tcp://127.0.0.1:1", False), ("tls://far:1", True)])
def test_hosts_are_told_nothing_of_this_machine(address: str, far: bool, tmp_path: Path) -> None:
    loaded = read_league(make_league(tmp_path))
    sandbox = Sandbox("/usr/bin/bwrap", (1, 1), True, Limits())
    folder = str(tmp_path / "copies/digest0")
    command = BotCommand("b0", ("{python}", "x.py"), folder, sandbox=sandbox, cores=(1,))
    connect = connect_of(OnCluster(address), loaded, [command], SETUP, "auto", True)
    [told] = connect.order.setup.commands
    assert (told.folder, told.sandbox, told.cores) == ("digest0", None, ())
    assert connect.bundles == {"digest0": folder}
    assert (connect.order.setup.core, connect.order.allow_broken, connect.order.far) == (None, True, far)
    assert str(tmp_path) not in str(connect.order)
