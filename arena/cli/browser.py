"""Opens a page in the browser of whoever started the command."""

from __future__ import annotations

import webbrowser

import click

__all__ = ["open_page"]


def open_page(address: str) -> None:
    """Open a page in the default browser ($BROWSER, else the desktop's). Say so on stderr if none opens.

    Raises nothing. With a browser for terminals it returns when that is closed.
    """
    try:
        opened = webbrowser.open(address)
    except (webbrowser.Error, OSError):
        opened = False
    if not opened:
        click.echo(f"no browser could be opened; the page is {address}", err=True)
