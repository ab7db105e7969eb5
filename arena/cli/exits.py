"""Ends a command: the one place that turns errors into a message on stderr and an exit code.

    0    success
    1    the answer is no (a difference, a check that failed)
    2    the command, the league file or a bot cannot be used as it is; the message says what to change
    3    faults were found, and `--fail-on-fault` was given
    4    the arena itself failed
    5    undecided: a gauntlet ended without an answer
    6    sessions were left out of the league, because their matches were aborted too often
    130  interrupted; what was reported is stored
    141  the reader of the output closed it early, as with `| head`

A traceback must not reach the terminal: it is written to a file in the temporary folder.
"""

from __future__ import annotations

import errno
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from arena.errors import ArenaError, Interrupted

NO = 1
USAGE = 2
FAULTS = 3
INTERNAL = 4
UNDECIDED = 5
LEFT_OUT = 6
INTERRUPTED = 130
READER_GONE = 141


class PipeBroken(Exception):  # noqa: N818  (it says what happened)
    """A BrokenPipeError in disguise: click would end the program for any of them, whichever pipe broke."""


def guarded(program: Callable[[], object]) -> int:
    """Run the program and return the exit code of the process.

    The exit code is what the program returns if that is a whole number, else 0.
    """
    try:
        code = program()
    except BaseException as error:  # SystemExit and KeyboardInterrupt have exit codes too
        return _ended_by(error)
    return code if isinstance(code, int) else 0


def _ended_by(error: BaseException) -> int:
    """Print what went wrong, unless nobody has to be told, and return the exit code."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]  # trio wraps the error of a single task in a group
    match error:
        case SystemExit():
            return error.code if isinstance(error.code, int) else 0 if error.code is None else USAGE
        case _ if _is_interrupt(error):
            return INTERRUPTED
        case BrokenPipeError() | PipeBroken() if _reader_gone():
            _forget_output()
            return READER_GONE
        case click.ClickException():
            error.show()
            return USAGE
        case Interrupted():  # not an error: somebody wanted this
            click.echo(error.message, err=True, color=_color())
            return error.exit_code
        case ArenaError():
            _say(error.message)
            return error.exit_code
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            place = f"{error.filename}: " if error.filename else ""
            _say(f"{place}the disk is full (or your quota is used up); not everything could be written")
            return INTERNAL
        case OSError(errno=errno.EMFILE | errno.ENFILE | errno.ENOMEM | errno.EAGAIN):
            _say(f"this machine has no room for another process or open file: {error.strerror}")
            return INTERNAL
    _say(f"internal error: {_summary(error)}\n{_where_traceback(error)}")
    return INTERNAL


def _is_interrupt(error: BaseException) -> bool:
    """Return whether this is a Ctrl-C, whatever became of it on its way.

    Before 3.12 Python wraps what comes while a class is made, as in every import. Of what comes while a
    validator is built, pydantic leaves nothing but the text.
    """
    match error:
        case KeyboardInterrupt() | click.Abort() | RuntimeError(__cause__=KeyboardInterrupt()):
            return True
    return type(error).__name__ == "SchemaError" and "KeyboardInterrupt:" in str(error)


def _say(message: str) -> None:
    """Print a message on stderr in the form of click's own errors."""
    click.echo(f"{click.style('Error:', fg='red', bold=True)} {message}", err=True, color=_color())


def _color() -> bool | None:
    """Return False with NO_COLOR (no colours), else None (colours if the terminal allows them)."""
    return False if os.environ.get("NO_COLOR") else None


def _summary(error: BaseException) -> str:
    text = " ".join(str(error).split())
    name = type(error).__name__
    return f"{name}: {text[:200]}" if text else name


def _where_traceback(error: BaseException) -> str:
    """Write the traceback to a file of its own and return a sentence that says where it is."""
    import tempfile  # not at the top: both together take as long to import as click, and are hardly needed
    import traceback

    lines = [f"command: {' '.join(sys.argv)}\n", f"python: {sys.version}\n\n"]
    lines += traceback.format_exception(error)
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="arena-error-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
        ) as file:
            file.writelines(lines)
    except OSError as failure:
        return f"The traceback could not be written: {failure.strerror}"
    return f"Please report this; the traceback is in {file.name}"


def _reader_gone() -> bool:
    """Return whether nobody reads our output any more; it may be a pipe to a process of ours that broke."""
    poll = select.poll()
    for stream in (sys.stdout, sys.stderr):
        try:
            poll.register(stream.fileno(), select.POLLOUT)
        except (OSError, ValueError):
            continue  # not a file, as in a test
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _forget_output() -> None:
    """Point our output at /dev/null, so that flushing it at the end does not fail again."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nothing, stream.fileno())
    os.close(nothing)


@contextmanager
def stopping_in_order(command: str) -> Iterator[None]:
    """Raise Interrupted with the command that resumes what a Ctrl-C has stopped."""
    try:
        yield
    except BaseException as error:
        if not _is_interrupt(error):
            raise
        raise Interrupted(f"stopped; to resume: {command}") from None
