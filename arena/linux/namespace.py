"""The command line that starts a bot without a sandbox in a process namespace. Linux only.

Bubblewrap makes the namespace, and nothing else. Where it cannot, a `supervisor` stands between the arena and
the bot. `family` ends what was started so.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from arena.linux.process_tree import below, children, read_file
from arena.linux.reaper import kill_trees

FULL: Final = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)
"""The errors of a machine that is too full to start a process."""

HIDE_PIPES: Final = '3<&0 4>&1 </dev/null >/dev/null exec "$@"'
"""A line of shell before bubblewrap: it puts the bot's input and output at descriptors 3 and 4.

Bubblewrap closes for itself all descriptors but 0, 1 and 2. So the pipes end when the bot closes them.
"""
_SHOW_PIPES: Final = (
    'until read -r pid name state rest </proc/1/stat && [ "$state" = S ]; do :; done; '
    'unset pid name state rest PWD OLDPWD SHLVL; <&3 >&4 3<&- 4>&- exec "$@"'
)
"""The same behind it: it undoes that, and takes back what bubblewrap and shells add to the environment.

First it waits until the namespace's first process sleeps. Only then is that killed with the one above it: it
asks the kernel for it after it has started this shell, and a busy machine may let the bot play before that.
"""
_NAMESPACE: Final = ("--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--die-with-parent")
_SUPERVISOR: Final = Path(__file__).with_name("supervisor.py")
_TRY_SECONDS: Final = 10.0


def in_family(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the command line that starts `argv`, a program outside of a sandbox, as a family."""
    if has_namespaces():
        return in_namespace(argv)
    return (sys.executable, "-I", "-S", "-B", str(_SUPERVISOR), str(os.getpid()), *argv)


@cache
def has_namespaces() -> bool:
    """Return whether bubblewrap makes process namespaces here. It is tried once, in some milliseconds.

    Raises OSError when the machine is too full to try it, which says nothing of the next time.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return False
    # As its first process, so that nobody is left who would have to be waited for.
    argv = (bwrap, *_NAMESPACE, "--as-pid-1", "--", "/bin/sh", "-c", "echo made")
    try:
        return try_out(argv, None, _TRY_SECONDS) == "made"
    except subprocess.TimeoutExpired:
        return False


def try_out(argv: Iterable[str], env: Mapping[str, str] | None, seconds: float, cwd: str = "/") -> str:
    """Return standard output of a program of ours that ends well, else standard error or why it cannot start.

    Raises OSError when this machine is too full for it, TimeoutExpired after so many seconds.
    """
    pipe = subprocess.PIPE
    try:
        tried = subprocess.Popen(
            tuple(argv), env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True,
            errors="replace", start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        said = str(error)
    else:
        with tried:
            try:
                out, wrong = tried.communicate(timeout=seconds)
            finally:
                if tried.returncode is None:
                    # The one below bubblewrap waits for it, and asks late to be killed with it.
                    kill_trees([tried.pid])
        if tried.returncode == 0:
            return out.strip()
        said = (wrong or out).strip()
    if (full := error_of_full(said)) is not None:
        raise full
    return said


def error_of_full(said: str) -> OSError | None:
    """Return the error of a machine that is too full, if the words of a program name one."""
    named = (number for number in FULL if os.strerror(number) in said)
    return next((OSError(number, os.strerror(number)) for number in named), None)


def in_namespace(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the command line that starts `argv` in a process namespace, with the rights of the caller."""
    bwrap = shutil.which("bwrap") or "bwrap"
    hidden = ("/bin/sh", "-c", HIDE_PIPES, "sh", bwrap, *_NAMESPACE, "--new-session", "--")
    return (*hidden, "/bin/sh", "-c", _SHOW_PIPES, "sh", *argv)


def head_of(first: int) -> int:
    """Return the first process of the namespace of a bot that has started: all below it is the bot's.

    `first`: the first of its family, which is returned when there is no such namespace any more.
    """
    return next(filter(heads_namespace, children(first)), first)


def heads_namespace(pid: int) -> bool:
    """Return whether a process is the first one of a process namespace below ours."""
    numbers = read_file(f"/proc/{pid}/status").partition(b"\nNSpid:")[2].partition(b"\n")[0].split()
    return len(numbers) > 1 and numbers[-1] == b"1"


def program_of(first: int) -> int:
    """Return the number of the bot's own process, behind the first of its family; `first` if it is gone."""
    # Bubblewrap has a second process in between, with the same command line.
    own = read_file(f"/proc/{first}/cmdline")
    for member in below(first):
        if read_file(f"/proc/{member.pid}/cmdline") not in (own, b""):
            return member.pid
    return first
