"""A folder as one file and back: a tar archive with the sums of its files. Knows nothing of leagues.

Equal folders give equal bytes: the members are in the order of their names, without times and owners, and
a file's mode says only whether it may be executed. An archive to unpack may come from strangers: nothing is
written outside the folder, only files, folders and links inside it are accepted, and the limits below hold.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from arena.errors import UsageError
from arena.linux.folders import Bounds, TooMuchError, middle_left_out, walk

__all__ = ["SUMS", "BundleError", "is_bundle", "pack", "unpack", "wrong_sums"]

SUMS = "SHA256SUMS"
"""The name of the file of the sums, in the form that `sha256sum --check` reads. It lists every file but
itself, and no links."""

_GZIP = b"\x1f\x8b"
_MOST = Bounds(depth=80, entries=1_000_000, file_bytes=16 << 30, total_bytes=16 << 30)
"""The most that an archive may hold: the copies of many bots, the pages of a long league, its database."""
_MOST_AT_ONCE = 1 << 20
"""The bytes that may be read in one piece. No honest header is longer, and a reader holds a header in memory
as a whole."""


class BundleError(UsageError):
    """An archive cannot be read, or holds what no archive of the arena holds. The text names it."""


def is_bundle(path: Path) -> bool:
    """Return whether a file begins like an archive of the arena."""
    try:
        with path.open("rb") as file:
            return file.read(len(_GZIP)) == _GZIP
    except OSError:  # whoever reads it next says why it cannot be read
        return path.name.endswith((".tar.gz", ".tgz"))


def pack(folder: Path, target: Path) -> int:
    """Write `folder` with everything in it, and its sums, to the file `target`; return how many files it has.

    The names in the archive begin with the folder's own name. The sums are written into the folder too.
    Raises OSError, and BundleError for a folder that `unpack` would refuse.
    """
    entries = _entries(folder)
    for path in entries:
        _check_name(f"{folder.name}/{path.relative_to(folder).as_posix()}")
    files = [path for path in entries if path.is_file() and not path.is_symlink()]
    lines = [f"{_sum(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
    with (
        target.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted([folder / SUMS, *entries]):
            member = tar.gettarinfo(path, f"{folder.name}/{path.relative_to(folder).as_posix()}")
            # `tarfile` makes a second name of the same file a hard link, which `unpack` refuses.
            if member.islnk():
                member.type, member.linkname, member.size = tarfile.REGTYPE, "", path.stat().st_size
            _make_plain(member)
            if member.isreg():
                with path.open("rb") as content:
                    tar.addfile(member, content)
            else:
                tar.addfile(member)
    return len(files) + 1


def _entries(folder: Path) -> list[Path]:
    """Return the files and links, in order. Empty folders are not kept.

    Raises BundleError for more than an archive may hold.
    """
    try:
        found = [folder / one.path for one in walk(folder, _MOST) if not one.is_folder]
    except TooMuchError as error:
        raise BundleError(
            f"{middle_left_out(error.path)!r}: {error.text}; an archive holds {_MOST}"
        ) from None
    return sorted(path for path in found if path != folder / SUMS)


def _make_plain(member: tarfile.TarInfo) -> None:
    """Remove from a member what differs from machine to machine."""
    executable = member.issym() or member.mode & stat.S_IXUSR
    member.mode = 0o755 if executable else 0o644
    member.mtime = member.uid = member.gid = 0
    member.uname = member.gname = ""


def unpack(path: Path, folder: Path) -> Path:
    """Unpack an archive into the empty `folder`, and return the one folder that it holds.

    Raises BundleError.
    """
    try:
        with _Guarded(path, "rb") as packed, tarfile.open(fileobj=packed, mode="r:") as tar:
            _extract(tar, folder)
    except (OSError, EOFError, tarfile.TarError, ValueError) as error:
        raise BundleError(f"{path}: cannot be unpacked: {error}") from error
    except BundleError as error:
        raise BundleError(f"{path}: refused: {error}") from None
    inside = list(folder.iterdir())
    if len(inside) != 1 or not inside[0].is_dir() or inside[0].is_symlink():
        raise BundleError(f"{path}: refused: expected one folder in it, found {len(inside)} entries")
    return inside[0]


class _Guarded(gzip.GzipFile):
    """A decompressing reader for `tarfile` that refuses what no honest archive needs.

    A small archive can decompress to gigabytes, and a header can claim any length.
    """

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes. Raises BundleError for a read of the whole rest or of very many bytes."""
        if size is None or not 0 <= size <= _MOST_AT_ONCE:
            raise BundleError("a header of it is too long")
        return super().read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a position. Raises BundleError beyond the limit of bytes."""
        if offset > _MOST.total_bytes:
            raise BundleError(f"there is more in it than {_MOST.total_bytes >> 30} GiB")
        return super().seek(offset, whence)


def _extract(tar: tarfile.TarFile, folder: Path) -> None:
    """Extract the files first and the links last, so that no file is ever written through a link."""
    links: list[tarfile.TarInfo] = []
    total = 0
    for number, member in enumerate(tar, start=1):
        total += member.size
        _check_name(member.name)
        if number > _MOST.entries:
            raise BundleError(f"{member.name!r} is one of more than {_MOST.entries:,} files in it")
        if total > _MOST.total_bytes:
            raise BundleError(f"with {member.name!r} there is more in it than {_MOST.total_bytes >> 30} GiB")
        if member.issym():
            links.append(member)
        elif member.isreg() and not member.issparse():
            _extract_one(tar, member, folder)
        elif not member.isdir():
            raise BundleError(f"{member.name!r} is neither file, folder nor link")
    for link in links:
        _extract_one(tar, link, folder)


def _extract_one(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Extract one file or link to a place where nothing is yet. Raises BundleError if something is there."""
    if os.path.lexists(folder / member.name):
        raise BundleError(f"{member.name!r} is in it twice")
    try:
        # The filter "data" refuses links that lead outside the folder.
        tar.extract(member, folder, filter="data")
    except RecursionError:  # `os.path.realpath` calls itself for every link
        raise BundleError(f"{middle_left_out(member.name)!r} leads through very many links") from None


def _check_name(name: str) -> None:
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\\" in name or not name.isprintable():
        raise BundleError(f"{middle_left_out(name)!r} is no name that a file in an archive may have")
    # A name with a thousand folders would end every program that calls itself for each of them.
    if len(parts) > _MOST.depth + 2:  # the archive's own folder, and the file
        raise BundleError(f"{middle_left_out(name)!r} is in more than {_MOST.depth} levels of folders")


def wrong_sums(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each file of `folder` that differs from its sums: its name, and what is wrong with it.

    Raises BundleError when the sums cannot be read.
    """
    said = _sums_of(folder)
    files = (path for path in _entries(folder) if not path.is_symlink())
    found = {path.relative_to(folder).as_posix(): path for path in files}
    for name in sorted(said.keys() | found.keys()):
        if name not in found:
            yield name, f"listed in {SUMS}, but missing"
        elif name not in said:
            yield name, f"not listed in {SUMS}"
        elif _sum(found[name]) != said[name]:
            yield name, f"its sum differs from that in {SUMS}"


def _sums_of(folder: Path) -> Mapping[str, str]:
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BundleError(f"{SUMS} cannot be read: {error}") from error
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
