"""Opens a page in the browser of whoever started the command.

As a program (`python -m arena.cli.browser ADDRESS`) it opens one for a command that ends all that it has
started, while a browser must outlive the match: it adopts what a browser leaves behind, and waits for the end
of its parent.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import webbrowser
from pathlib import Path

import click

_POLL_SECONDS = 1.0
_openers: list[subprocess.Popen[bytes]] = []


def open_page(address: str) -> None:
    """Open a page in the default browser ($BROWSER, else the desktop's). Say so on stderr if none opens.

    Raises nothing. With a browser for terminals it returns when that is closed.
    """
    if not _opened(address):
        click.echo(_none_opened(address), err=True)


def _opened(address: str) -> bool:
    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False


def _none_opened(address: str) -> str:
    return f"no browser could be opened; the page is {address}"


def open_page_apart(address: str) -> None:
    """Open a page like `open_page`, from a process that ends orphans (`arena.linux.family`): not the browser.

    Returns at once.
    """
    from arena.linux.family import mine
    from arena.linux.installation import same_python

    argv, environment = same_python("-m", "arena.cli.browser", address)
    # A session of its own: Ctrl-C in the terminal is not for the browser.
    opener = subprocess.Popen(argv, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
    _openers.append(opener)  # nobody waits for it
    mine(opener.pid)


def _main(address: str) -> None:
    from arena.linux.reaper import set_subreaper

    parent = os.getppid()
    set_subreaper(True)
    # What a browser says is for nobody, and whoever reads our output must not wait for the browser's end.
    with os.fdopen(os.dup(2), "w") as stderr, Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        if not _opened(address):
            stderr.write(_none_opened(address) + "\n")
    while os.getppid() == parent:
        time.sleep(_POLL_SECONDS)


if __name__ == "__main__":
    _main(sys.argv[1])
