"""Makes everything that a sandbox shows its own: files, devices and /proc. Part of `inside`.

Bubblewrap shows the machine's own files. Whoever locks one of them is seen by everybody who is shown the same
file, and what the machine's /proc counts everybody can read. So two bots could talk. After `separate` each
file and folder is one of this sandbox alone, and /proc holds nothing that others can change. The contents are
the machine's still, and in memory only once.

Like `inside`, which imports it, it imports nothing of the arena, and as little else as it can.
"""

# ruff: noqa: PTH101, PTH102, PTH103, PTH110, PTH112, PTH114, PTH120, PTH123, PTH208, PTH211 - pathlib is slow
# ruff: noqa: S103, S108 - the sandbox's own

from __future__ import annotations

import ctypes
import os
import stat

_NUMBERS = "/proc/self/mountinfo"
_OWN = "/dev/.own"
"""The place for what is laid over other things."""
_EMPTY_FOLDER, _EMPTY_FILE = f"{_OWN}/folder", f"{_OWN}/file"
_DEVICES = {
    "null": (1, 3),
    "zero": (1, 5),
    "full": (1, 7),
    "random": (1, 8),
    "urandom": (1, 9),
    "tty": (5, 0),
}
_LINKS = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2", "ptmx": "pts/ptmx"}
_TERMINALS = 16
_OPEN = ("version",)
"""Files of /proc that stay as they are, because they do not change while the machine runs."""
_SETTINGS = (
    "fs/file-max", "fs/nr_open", "fs/pipe-max-size",
    "kernel/cap_last_cap", "kernel/ngroups_max", "kernel/osrelease", "kernel/ostype", "kernel/overflowgid",
    "kernel/overflowuid", "kernel/pid_max", "kernel/threads-max", "kernel/version",
    "net/core/somaxconn", "vm/max_map_count", "vm/mmap_min_addr", "vm/overcommit_memory",
)  # fmt: skip
"""Files of /proc/sys that runtimes read: settings of the machine. All others there are not shown."""
_MOUNT_READ_ONLY, _NO_SET_ID, _NO_DEVICES, _NO_PROGRAMS, _REMOUNT, _BIND = 1, 2, 4, 8, 32, 4096
_COPY = 1 << 30

_libc = ctypes.CDLL(None, use_errno=True)


def separate(shm_bytes: int) -> int:
    """Make files, devices and /proc this sandbox's own, and return a descriptor of the kernel's /proc/sys.

    `shm_bytes`: the size of /dev/shm. It needs the right to mount. Devices are made by root; an ordinary user
    is shown those of the machine, on which the arena holds all locks (see `probing.Locks`). Raises OSError,
    with the path, for what cannot be done here.
    """
    points = _shown()
    behind = {path: os.open(path, os.O_PATH) for path in points}
    devices = {
        name: os.open(f"/dev/{name}", os.O_PATH) for name in _DEVICES if os.path.exists(f"/dev/{name}")
    }
    settings = os.open("/proc/sys", os.O_PATH)
    _mount("tmpfs", "/dev", "tmpfs", _NO_SET_ID, "mode=0755")
    os.mkdir(_OWN, 0o755)
    os.mkdir(_EMPTY_FOLDER, 0o555)
    _write(_EMPTY_FILE, b"", 0)
    for number, path in enumerate(points):
        _lay_over(path, behind[path], number)
    _devices(devices, shm_bytes)
    _cover_proc()
    _mount(None, "/dev", None, _REMOUNT | _MOUNT_READ_ONLY | _NO_SET_ID)
    for descriptor in (*behind.values(), *devices.values()):
        os.close(descriptor)
    return settings


# Files


def _shown() -> list[str]:
    """Return what bubblewrap shows, the folders above others first."""
    with open(_NUMBERS, "rb") as file:
        found = {os.fsdecode(_plain(line.split()[4])) for line in file}
    ours = {"/", "/tmp", "/dev", "/proc"}
    paths = [path for path in found if path not in ours and not path.startswith(("/dev/", "/proc/"))]
    return sorted(paths, key=lambda path: (path.count("/"), path))


def _plain(name: bytes) -> bytes:
    """Return a path as it is; mountinfo has spaces and the like as three octal digits after a backslash."""
    first, *rest = name.split(b"\\")
    return first + b"".join(bytes((int(part[:3], 8),)) + part[3:] for part in rest)


def _lay_over(path: str, behind: int, number: int) -> None:
    """Lay an overlay over a folder, a copy over a file, and an empty file over what is hidden.

    `behind`: an open descriptor of what is there now. By this way a later step still finds what an earlier
    one has laid something over, and a path may hold commas and colons.
    """
    real = f"/proc/self/fd/{behind}"
    mode = os.fstat(behind).st_mode
    if stat.S_ISDIR(mode):
        # An overlay that cannot be written has two layers at least.
        layers = f"lowerdir={real}:{_EMPTY_FOLDER}"
        _mount("overlay", path, "overlay", _MOUNT_READ_ONLY | _NO_SET_ID | _NO_DEVICES, layers)
        return
    copy = _EMPTY_FILE
    if stat.S_ISREG(mode) and os.access(real, os.R_OK):
        copy = f"{_OWN}/{number}"
        _copy(real, copy, stat.S_IMODE(mode))
    _mount(copy, path, None, _BIND)


def _copy(source: str, path: str, mode: int) -> None:
    reader = os.open(source, os.O_RDONLY)
    writer = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    while os.sendfile(writer, reader, None, _COPY):
        pass
    os.fchmod(writer, mode)
    os.close(reader)
    os.close(writer)


# Devices


def _devices(there: dict[str, int], shm_bytes: int) -> None:
    """Fill /dev. `there`: descriptors of the machine's devices, where those are shown."""
    for name, (major, minor) in _DEVICES.items():
        path = f"/dev/{name}"
        if os.getuid() == 0:
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(major, minor))
            os.chmod(path, 0o666)
            _mount(path, path, None, _BIND)
        elif name in there:
            _write(path, b"", 0o666)
            _mount(f"/proc/self/fd/{there[name]}", path, None, _BIND)
        else:
            continue
        # So its times and its mode cannot be changed; it can be written all the same.
        _mount(None, path, None, _REMOUNT | _BIND | _MOUNT_READ_ONLY | _NO_SET_ID | _NO_PROGRAMS)
    for name, target in _LINKS.items():
        os.symlink(target, f"/dev/{name}")
    for name in ("pts", "shm"):
        os.mkdir(f"/dev/{name}", 0o755)
    # The machine's terminals are counted too, and so few here never use them up.
    terminals = f"newinstance,ptmxmode=0666,mode=620,max={_TERMINALS}"
    _mount("devpts", "/dev/pts", "devpts", _NO_SET_ID | _NO_PROGRAMS, terminals)
    _mount("tmpfs", "/dev/shm", "tmpfs", _NO_SET_ID | _NO_DEVICES, f"mode=1777,size={shm_bytes}")


# /proc


def _cover_proc() -> None:
    """Leave of /proc what belongs to processes. Numbers that runtimes need are frozen; nothing else is seen.

    Process 1 is bubblewrap's: its descriptors are the machine's.
    """
    frozen = {name: f"{_OWN}/{name}" for name in (*_freeze_numbers(), *_freeze_settings())}
    for name in ("1", *os.listdir("/proc")):
        path = f"/proc/{name}"
        if name in _OPEN or (name.isdecimal() and name != "1") or os.path.islink(path):
            continue
        empty = _EMPTY_FOLDER if os.path.isdir(path) else _EMPTY_FILE
        _mount(frozen.get(name, empty), path, None, _BIND)


def _freeze_numbers() -> list[str]:
    """Write files like those of /proc that say how large the machine is, but not what it does now."""
    cores = os.sysconf("SC_NPROCESSORS_ONLN")
    kib = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 10
    zeros = " 0" * 10
    texts = {
        "cpuinfo": _cpuinfo(cores),
        "loadavg": "0.00 0.00 0.00 1/1 1\n",
        "meminfo": f"MemTotal: {kib:15} kB\nMemFree: {kib // 2:16} kB\nMemAvailable: {kib // 2:11} kB\n"
        f"Buffers: {0:16} kB\nCached: {0:17} kB\nSwapTotal: {0:14} kB\nSwapFree: {0:15} kB\n"
        f"Shmem: {0:18} kB\nSReclaimable: {0:11} kB\n",
        "stat": f"cpu {zeros}\n"
        + "".join(f"cpu{core}{zeros}\n" for core in range(cores))
        + "intr 0\nctxt 0\nbtime 0\nprocesses 1\nprocs_running 1\nprocs_blocked 0\nsoftirq 0\n",
        "uptime": "0.00 0.00\n",
    }
    for name, text in texts.items():
        _write(f"{_OWN}/{name}", text.encode(), 0o444)
    return list(texts)


def _cpuinfo(cores: int) -> str:
    """Return the description of the first processor for each of them, with a frequency that stands still."""
    with open("/proc/cpuinfo", "rb", buffering=0) as file:
        # One reading of this size is enough, and the kernel looks at few processors for it.
        first = file.read(1 << 14).decode(errors="replace").split("\n\n")[0]
    lines = [line for line in first.split("\n") if not line.startswith(("processor", "cpu MHz"))]
    return "".join("\n".join((f"processor\t: {core}", *lines, "\n")) for core in range(cores))


def _freeze_settings() -> list[str]:
    """Copy some settings of /proc/sys, as they are now."""
    for name in _SETTINGS:
        try:
            with open(f"/proc/sys/{name}", "rb") as file:
                text = file.read()
        except OSError:  # not on this kernel, or not for us
            continue
        os.makedirs(os.path.dirname(f"{_OWN}/sys/{name}"), exist_ok=True)
        _write(f"{_OWN}/sys/{name}", text, 0o444)
    return ["sys"]


# The kernel


def _write(path: str, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(descriptor, data)
    os.fchmod(descriptor, mode)
    os.close(descriptor)


def _mount(source: str | None, path: str, kind: str | None, flags: int, options: str | None = None) -> None:
    given = [None if text is None else os.fsencode(text) for text in (source, path, kind, options)]
    if _libc.mount(*given[:3], ctypes.c_ulong(flags), given[3]) != 0:
        number = ctypes.get_errno()
        what = f"{path}: {kind or 'mount'}"
        raise OSError(number, os.strerror(number), what)
