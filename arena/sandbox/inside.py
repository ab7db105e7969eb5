"""The first program in a sandbox: gives up its rights, sets the limits, and becomes the bot.

Bubblewrap starts it with the arena's interpreter, alone (`python -I -S`), and every bot waits for it. So it
must import nothing of the arena but `apart`, which lies beside it, and as little else as it can. It trusts
its arguments, because the arena wrote them; nothing of the bot's is read or run before all rights are gone.

    python -I -S inside.py KEY=VALUE ... -- PROGRAM NAME ARGUMENT ...

    own=N          make files, devices and /proc the sandbox's own; /dev/shm has N bytes
    user=UID:GID   started by root: become this user, in a user namespace of its own
    users=N:N      started by root: become a user that no other sandbox has, of so many from this one on
    folder=PATH    the working directory
    nice=N         how far to give way to others
    processes=N files=N file_bytes=N    the limits
    filter=HEX     a program for seccomp, see `syscalls`

The bot's input and output are descriptors 3 and 4, and its environment is in variables that begin with
"BOT_ENV_". So neither reaches bubblewrap, which would keep the descriptors open and obey the variables
(LD_PRELOAD). With `users`, descriptor 6 is the file of the claims. Bubblewrap keeps it open until the sandbox
has ended, and with it the claim.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys

_NOBODY = 65534
"""The user that every bot is in its own eyes. The folder etc/ beside this file gives the number its name."""
_ENVIRONMENT = "BOT_ENV_"
_CLAIMS = 6
_F_OFD_SETLK, _WRITE_LOCK = 37, 1
_ATTEMPTS = 1000
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWTIME = 0x80
_PR_CAP_AMBIENT, _CLEAR_ALL = 47, 4
_CAPABILITIES_3 = 0x20080522
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_SIGPIPE, _SIGXFSZ = 13, 25
_MOST_DESCRIPTORS = 1024
_MOST_SIGNALS = 256
"""The signals and timers that may wait in one sandbox. They are counted for all processes of a user, but so
few of each sandbox never fill the account that an ordinary user's sandboxes share."""
_CANNOT_RUN = 126

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    """The struct sock_fprog of linux/filter.h. An instruction has eight bytes."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def main(arguments: list[str]) -> None:
    """Become the program, or end with a sentence on standard error. Never returns."""
    end = arguments.index("--")
    given = dict(argument.split("=", 1) for argument in arguments[:end])
    program, *names = arguments[end + 1 :]
    try:
        _wait_for_bubblewrap()
        user = _user(given)
        _take_over_input_and_output()
        _give_way(int(given["nice"]))
        settings = _separate(int(given["own"])) if "own" in given else -1
        if user is not None:
            _leave_root(*user, settings)
        elif settings >= 0:
            _forbid_namespaces(settings)
            _drop_capabilities()
        _limit(given)
        os.chdir(given["folder"])
        # The filter comes last: it refuses calls that the steps before it need, such as unshare.
        _shut_the_door(bytes.fromhex(given["filter"]))
    except OSError as error:
        _end(f"the sandbox cannot be closed: {error.strerror} ({_where(error)})")
    prefix = len(_ENVIRONMENT)
    environment = {
        name[prefix:]: value for name, value in os.environ.items() if name.startswith(_ENVIRONMENT)
    }
    try:
        os.execve(program, names, environment)  # noqa: S606 - to become a program is the point
    except OSError as error:
        _end(f"cannot be started: {program}: {error.strerror}")


def _wait_for_bubblewrap() -> None:
    """Wait until the sandbox's first process sleeps: only then does it end with the arena (`namespace`)."""
    state = b""
    while state != b"S":
        os.sched_yield()
        with open("/proc/1/stat", "rb", buffering=0) as stat:  # noqa: PTH123
            state = stat.read(4096).rpartition(b") ")[2][:1]


def _user(given: dict[str, str]) -> tuple[int, int] | None:
    """Return the user and group to become, or None for who is an ordinary user already."""
    if "users" in given:
        first, number = map(int, given["users"].split(":"))
        claimed = _claim(first, number)
        return claimed, claimed
    if "user" in given:
        uid, gid = map(int, given["user"].split(":"))
        return uid, gid
    return None


def _claim(first: int, number: int) -> int:
    """Return the id of a user that is nobody else's on this machine, until this sandbox has ended.

    The claim is a lock on one byte of a file. It belongs to the open file, which bubblewrap holds too. The
    choice is random, so that an id that was just given back is hardly ever the next.
    """
    for _ in range(_ATTEMPTS):
        place = int.from_bytes(os.urandom(4), "little") % number
        # The struct flock: type, whence, start, length, process.
        lock = struct.pack("hhqqi", _WRITE_LOCK, 0, place, 1, 0)
        if _libc.fcntl(_CLAIMS, _F_OFD_SETLK, lock) == 0:
            return first + place
    raise OSError(ctypes.get_errno(), "no user is free", "users")


def _separate(shm_bytes: int) -> int:
    """Make what is shown the sandbox's own (see `apart`), and return a descriptor of /proc/sys as it was."""
    # Isolated, Python does not look beside its script. Only what needs the module pays for it.
    sys.path.insert(0, os.path.dirname(__file__))  # noqa: PTH120
    settings: int = __import__("apart").separate(shm_bytes)
    # The file behind /proc/self/ns/time is another thing that all could lock. From Linux 6.2 on the namespace
    # begins with the bot's program.
    _check(_libc.unshare(_CLONE_NEWTIME), "unshare")
    return settings


def _take_over_input_and_output() -> None:
    """Make descriptors 3 and 4 the standard input and output, and restore the signals that Python ignores.

    An ignored signal would stay ignored in the bot.
    """
    os.dup2(3, 0)
    os.dup2(4, 1)
    os.closerange(3, _MOST_DESCRIPTORS)
    for number in (_SIGPIPE, _SIGXFSZ):
        _libc.signal(number, None)


def _give_way(nice: int) -> None:
    """Lower the priority, and be the first to be ended when this machine runs out of memory.

    An arena that was started by nice(1) gives way further already, and only root may take that back.
    """
    os.setpriority(os.PRIO_PROCESS, 0, max(nice, os.getpriority(os.PRIO_PROCESS, 0)))
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123 - pathlib is slow to import
            file.write("800")
    except OSError:
        pass  # it is enough already, or there is none


def _leave_root(uid: int, gid: int, settings: int) -> None:
    """Become another user for good, in a new user namespace, which counts this bot's processes alone.

    `settings`: see `_forbid_namespaces`.
    """
    # The maps are written by a child that is still root. So it makes no difference what the machine allows
    # ordinary users.
    waiting, going = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(going)
        os.read(waiting, 1)
        try:
            _write_maps(os.getppid(), uid, gid)
        except OSError as error:
            os._exit(error.errno or 1)
        os._exit(0)
    _check(_libc.unshare(_CLONE_NEWUSER), "unshare")
    os.close(going)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        raise OSError(status, os.strerror(status), "uid_map")
    os.close(waiting)
    os.setgroups([])
    # The last act in the namespace is to forbid any namespace below it.
    _forbid_namespaces(settings)
    _drop_bounding_set()
    os.setresgid(_NOBODY, _NOBODY, _NOBODY)
    os.setresuid(_NOBODY, _NOBODY, _NOBODY)


def _forbid_namespaces(settings: int) -> None:
    """Forbid any user namespace below this one.

    `settings`: a descriptor of the kernel's /proc/sys, or -1 if it lies open.
    """
    folder = os.open("/proc/sys", os.O_PATH) if settings < 0 else settings
    file = os.open("user/max_user_namespaces", os.O_WRONLY, dir_fd=folder)
    os.write(file, b"0")
    os.close(file)
    os.close(folder)


def _drop_bounding_set() -> None:
    # Without the bounding set no program can give a capability back.
    for capability in range(64):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # says EINVAL beyond the last one


def _drop_capabilities() -> None:
    """Give up all rights in this user namespace, for good."""
    _drop_bounding_set()
    _check(_libc.prctl(_PR_CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0), "prctl")
    header = struct.pack("Ii", _CAPABILITIES_3, 0)
    _check(_libc.capset(header, bytes(24)), "capset")


def _write_maps(pid: int, uid: int, gid: int) -> None:
    for name, outside in (("uid_map", uid), ("gid_map", gid)):
        # The kernel takes a map in one write only.
        descriptor = os.open(f"/proc/{pid}/{name}", os.O_WRONLY)
        os.write(descriptor, f"{_NOBODY} {outside} 1".encode())


def _limit(given: dict[str, str]) -> None:
    for key, value in (
        (resource.RLIMIT_NPROC, int(given["processes"])),
        (resource.RLIMIT_NOFILE, int(given["files"])),
        (resource.RLIMIT_FSIZE, int(given["file_bytes"])),
        (resource.RLIMIT_SIGPENDING, _MOST_SIGNALS),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        most = resource.getrlimit(key)[1]
        # Nobody but root may raise a hard limit, so a lower one stays.
        if most != resource.RLIM_INFINITY:
            value = min(value, most)
        resource.setrlimit(key, (value, value))


def _shut_the_door(code: bytes) -> None:
    """Forbid programs to give rights back, and have the kernel refuse some system calls."""
    # The kernel demands this before an ordinary user may install a filter.
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    if code:
        program = _Program(len(code) // 8, code)
        _check(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def _where(error: OSError) -> str:
    return str(error.filename or "a limit")


def _end(text: str) -> None:
    os.write(2, f"{text}\n".encode(errors="replace"))
    os._exit(_CANNOT_RUN)


if __name__ == "__main__":
    main(sys.argv[1:])
