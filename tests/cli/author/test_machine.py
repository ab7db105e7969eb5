"""`arena check` without a bot: what it finds of the machine."""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from arena.cli.author.machine import Finding, Verdict, examine
from tests.cli.calling import Arena

machine = sys.modules["arena.cli.author.machine"]


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of the programs that are asked for their versions."""
    monkeypatch.setenv("PATH", "/nowhere")


def found(findings: list[Finding], name: str) -> Finding:
    return next(finding for finding in findings if finding.name == name)


def test_both_forms_name_the_same_things(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    data = arena("check", "--json")
    monkeypatch.setenv("PATH", "/nowhere")
    text = arena("check")
    assert (text.code, data.code) == (0, 0)
    told = json.loads(data.out)
    assert told["python"]["value"].startswith(platform.python_version())
    assert platform.release() in told["platform"]["value"]
    assert [line.split("  ")[0] for line in text.out.splitlines()] == list(told)


@pytest.mark.usefixtures("nothing_installed")
def test_extras_are_there_or_it_is_said_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(examine(), "dask").value == f"distributed {version('distributed')}"

    def missing(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr(machine, "version", missing)
    said = found(examine(), "dask")
    assert (said.verdict, said.value) == (Verdict.MISSING, "not installed")
    assert said.remark.endswith("pip install 'papayoo-arena[dask]'")


def test_programs_are_found_where_the_path_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v20.0.0\necho more\n")
    node.chmod(0o755)
    bwrap = tmp_path / "bwrap"
    bwrap.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 9 ||'
        " { echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1; }\n"
    )
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    findings = examine()
    assert found(findings, "JavaScript").value == "v20.0.0"
    assert found(findings, "Rust") == Finding("Rust", "rustc not found", Verdict.MISSING, "apt install rustc")
    assert found(findings, "TypeScript").remark == "apt install node-typescript"
    assert found(findings, "bubblewrap").value == f"bubblewrap 9 ({bwrap})"
    assert "setting up uid map: Permission denied" in found(findings, "sandbox").value
    assert found(findings, "sandbox").verdict is Verdict.NOTE
    assert "with your rights" in found(findings, "sandbox").remark


@pytest.mark.usefixtures("nothing_installed")
def test_without_bubblewrap_the_cure_is_to_install_it() -> None:
    assert found(examine(), "bubblewrap").value == "not found"
    assert "apt install bubblewrap" in found(examine(), "sandbox").remark


@pytest.mark.parametrize(("namespaces", "verdict"), [(True, Verdict.OK), (False, Verdict.NOTE)])
def test_what_ends_bots_without_a_sandbox_is_told(
    monkeypatch: pytest.MonkeyPatch, namespaces: bool, verdict: Verdict
) -> None:
    monkeypatch.setattr("arena.cli.author.machine.has_namespaces", lambda: namespaces)
    assert found(examine(), "process namespace").verdict is verdict


@pytest.mark.usefixtures("nothing_installed")
def test_another_system_is_the_answer_no(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Plan9")
    called = arena("check")
    assert called.code == 1
    assert "[prevents: leagues can be run on Linux only]" in called.out
