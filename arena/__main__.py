"""The entry point of `arena` and of `python -m arena`. Does nothing but start the command line."""

from __future__ import annotations

import signal
import sys
from _thread import interrupt_main
from types import FrameType
from typing import NoReturn

from arena.cli.exits import INTERRUPTED, guarded
from arena.cli.program import run_program


def main() -> NoReturn:
    """Run the command line on this process's arguments and end the process with its exit code."""
    sys.unraisablehook = _once_more
    # A caller that ignores the ends of its children hands that on, and nobody could wait for a bot then.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # Who ends us politely is answered like Ctrl-C: what was started and written for the while goes away.
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores SIGHUP; that stays
            signal.signal(number, _as_ctrl_c)
    try:
        code = guarded(run_program)
    except KeyboardInterrupt:  # once more, while the first was being answered
        code = INTERRUPTED
    # All is done and said: a Ctrl-C while Python takes itself down would only print a traceback.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


def _as_ctrl_c(_number: int, frame: FrameType | None) -> None:
    """Do what a Ctrl-C would do now: an event loop has its own answer to that."""
    answer = signal.getsignal(signal.SIGINT)
    (answer if callable(answer) else signal.default_int_handler)(signal.SIGINT, frame)


def _once_more(accident: sys.UnraisableHookArgs) -> None:
    """A Ctrl-C inside a destructor: Python would print it and go on, so let it come once more."""
    if accident.exc_type is KeyboardInterrupt:
        interrupt_main()
    else:
        sys.__unraisablehook__(accident)


if __name__ == "__main__":
    main()
