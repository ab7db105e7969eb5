"""What the arena can use on this machine, as `arena check` shows it without a bot. Changes nothing."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from arena import __version__
from arena.cli.layout import columns, plain
from arena.errors import UsageError
from arena.linux.installation import WORTH_COMPILING, is_compiled
from arena.linux.namespace import has_namespaces
from arena.sandbox import Failure, Level, Limits, Sandbox, probe
from arena.sandbox.syscalls import refused
from arena.workbench.kits import Kit, cure, kits, lacking

_SECONDS = 5.0
"""The seconds that a program may take to print its version."""

_LOW_BYTES = 1 << 30
"""A long league of six bots fills a few hundred MiB."""

_ASKED = {"go": ("version",), "lua5.4": ("-v",), "perl": ("-e", "print $^V")}
"""The arguments with which a program prints its version, where that is not --version."""


class Verdict(StrEnum):
    """What a finding means for leagues."""

    OK = "ok"
    NOTE = "note"
    """Leagues run, but not as well as they could."""
    MISSING = "missing"
    """Not there, and needed by some bots only."""
    PREVENTS = "prevents"
    """Leagues cannot be run here."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact. `value`: what was found; `remark`: what follows from it, or empty."""

    name: str
    value: str
    verdict: Verdict = Verdict.OK
    remark: str = ""


def examine() -> list[Finding]:
    """Return everything worth knowing, in the order in which it is shown."""
    return [
        *_basics(),
        _extra("dask", "distributed", "leagues on a cluster"),
        _extra("postgres", "psycopg", "databases on a server"),
        *_room(),
        *_isolation(),
        *map(_language, kits()),
    ]


def _basics() -> Iterator[Finding]:
    yield Finding("arena", __version__)
    yield Finding("python", f"{platform.python_version()} ({sys.executable})")
    system = platform.system()
    here = f"{system} {platform.release()}, {platform.machine()}"
    if system == "Linux":
        yield Finding("platform", here)
    else:
        yield Finding("platform", here, Verdict.PREVENTS, "leagues can be run on Linux only")
    if is_compiled():
        yield Finding("referee", "compiled")
    else:
        yield Finding("referee", "interpreted", Verdict.NOTE, f"{WORTH_COMPILING} (docs/speed.md)")


def _extra(name: str, package: str, what: str) -> Finding:
    """Return whether an extra of the arena is installed. `what`: what needs it."""
    try:
        return Finding(name, f"{package} {version(package)}")
    except PackageNotFoundError:
        remark = f"needed for {what}: pip install 'papayoo-arena[{name}]'"
        return Finding(name, "not installed", Verdict.MISSING, remark)


def _room() -> Iterator[Finding]:
    cores = os.cpu_count() or 1
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    yield Finding("cores", f"{allowed} of {cores} may be used")
    free = shutil.disk_usage(Path.cwd()).free
    value = f"{free / (1 << 30):.1f} GiB free in {Path.cwd()}"
    low = (Verdict.NOTE, "a long league may need more") if free < _LOW_BYTES else (Verdict.OK, "")
    yield Finding("disk space", value, *low)


def _isolation() -> Iterator[Finding]:
    program = shutil.which("bwrap")
    if program is None:
        yield Finding("bubblewrap", "not found", Verdict.NOTE, "sandboxes need it")
    else:
        yield Finding("bubblewrap", f"{_said([program, '--version']) or 'no version'} ({program})")
    yield _sandbox()
    # What ends a bot without a sandbox with all that it has started (`arena.linux.family`).
    if has_namespaces():
        yield Finding("process namespace", "yes: one for each bot, also without a sandbox")
    else:
        remark = "without a sandbox each process of a bot starts later and takes 8 MiB more"
        yield Finding("process namespace", "no: a supervisor for each bot", Verdict.NOTE, remark)


def _sandbox() -> Finding:
    """Return whether a sandbox works: one is made, as a league makes it."""
    try:
        found = probe(Limits())
    except (UsageError, OSError) as error:  # nothing can be said of it now
        found = Failure(str(error), "try again")
    if isinstance(found, Failure):
        said = f" ({found.said})" if found.said else ""
        value = f"does not work: {found.cause}{said}"
        return Finding("sandbox", value, Verdict.NOTE, f"bots run with your rights; {found.cure}")
    remarks = [] if refused() else ["no system call filter on this processor"]
    if found.weaker:
        remarks.append(f"bots that work together can signal to each other: {found.weaker}")
    verdict = Verdict.NOTE if remarks else Verdict.OK
    value = f"works: level {found.level}, bots run {_as_whom(found)}"
    return Finding("sandbox", value, verdict, "; ".join(remarks))


def _as_whom(sandbox: Sandbox) -> str:
    if sandbox.level is Level.OWN_USERS:
        return "as users of their own"
    return "as nobody, not root" if sandbox.user is not None else "in a user namespace of their own"


def _language(kit: Kit) -> Finding:
    """Return whether bots of a kit can be built and run, with the version of the first program needed."""
    missing = ", ".join(need.program for need in lacking(kit))
    if missing:
        return Finding(kit.title, f"{missing} not found", Verdict.MISSING, cure(kit))
    if not kit.needs:
        return Finding(kit.title, "needs nothing but the arena")
    first = kit.needs[0].program
    program = shutil.which(first) or first
    return Finding(kit.title, _said([program, *_ASKED.get(first, ("--version",))]) or program)


def _said(command: Sequence[str]) -> str:
    """Return the first line that a program prints, empty if it fails or takes too long."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = (done.stdout or done.stderr).strip().splitlines() if done.returncode == 0 else []
    return plain(lines[0]) if lines else ""


def examined_text(findings: Sequence[Finding]) -> str:
    """Return a line for each finding, with what follows from it, without a newline at the end."""
    return "\n".join(
        columns(
            [
                (one.name, f"{one.value}  [{one.verdict}: {one.remark}]" if one.remark else one.value)
                for one in findings
            ]
        )
    )


def examined_json(findings: Sequence[Finding]) -> dict[str, dict[str, str]]:
    """Return the findings by name."""
    return {
        one.name: {"value": one.value, "verdict": one.verdict.value, "remark": one.remark} for one in findings
    }
