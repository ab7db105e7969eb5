"""What of its engine a worker must hide from bots: the files of TLS, settings, folders. Hides nothing itself.

Nearly all of them lie where a sandbox shows nothing anyway. But a key below /usr, or below what a league file
shows, would be seen. The engine is only looked at if it is loaded already.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

__all__ = ["to_hide"]

_OPTIONS = frozenset({"--tls-ca-file", "--tls-cert", "--tls-key", "--local-directory"})
"""Options of Dask's commands that name files or folders."""
_VARIABLES = ("DASK_DISTRIBUTED__COMM__TLS__", "DASK_TEMPORARY_DIRECTORY")
_CONFIG = ("DASK_CONFIG", "DASK_ROOT_CONFIG")
_TLS = "distributed.comm.tls"
_MOST_ABOVE = 32


def to_hide() -> list[str]:
    """Return the absolute paths that exist, each also where its links lead."""
    found = [*_of_settings(), *_of_environment(os.environ), *_of_command_lines(os.getpid())]
    paths = [path for path in found if path.exists()]
    both = [one for path in paths for one in (str(path), os.path.realpath(path))]
    return list(dict.fromkeys(both))


def _of_settings() -> Iterator[Path]:
    """Yield what the settings of the engine name, wherever they come from, and where they are kept."""
    config = sys.modules.get("dask.config")
    if config is None:
        return
    yield from _all_paths(config.get(_TLS, {}))
    yield from map(_absolute, config.paths)


def _all_paths(value: object) -> Iterator[Path]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _all_paths(inner)
    # A certificate may also stand there itself, in several lines.
    elif isinstance(value, str) and value and "\n" not in value:
        yield _absolute(value)


def _of_environment(environ: Mapping[str, str]) -> Iterator[Path]:
    for name, value in environ.items():
        if name.startswith(_VARIABLES) or name in _CONFIG:
            yield from _all_paths(value)
    yield Path("~/.config/dask").expanduser()


def _of_command_lines(pid: int) -> Iterator[Path]:
    """Yield what the commands of this process and those above it name: a nanny has a worker's options."""
    for _ in range(_MOST_ABOVE):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            folder = Path(f"/proc/{pid}/cwd").readlink()
            status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        except OSError:  # it is another user's
            return
        yield from _named([os.fsdecode(word) for word in words], folder)
        pid = int(status.partition("\nPPid:\t")[2].partition("\n")[0] or 0)
        if pid <= 1:
            return


def _named(words: list[str], folder: Path) -> Iterable[Path]:
    """Return what the options in a command line name."""
    found = []
    for word, following in zip(words, [*words[1:], ""], strict=True):
        option, equals, value = word.partition("=")
        if option in _OPTIONS and (value := value if equals else following):
            found.append(folder / value)
    return found


def _absolute(path: str) -> Path:
    return Path(path).expanduser().absolute()
