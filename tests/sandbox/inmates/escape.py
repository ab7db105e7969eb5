"""Tries everything that a bot must not be able to do, and tells as JSON what came of it.

A line of standard input gives what is outside: paths, the number of a process, a port, and the numbers
of system calls on this machine.
"""

# ruff: noqa: PTH101, PTH109, PTH110, PTH118, PTH120, PTH123, PTH208 - it tries calls to the kernel, one each

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import resource
import signal
import socket
import sys
import termios

outside = json.loads(sys.stdin.readline())
libc = ctypes.CDLL(None, use_errno=True)
told = {}


def tries(what):
    """Keep what a function returns, or the name of the error."""

    def run(function):
        try:
            told[what] = function()
        except OSError as error:
            told[what] = errno.errorcode.get(error.errno, str(error))
        return function

    return run


def call(name, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(outside["numbers"][name], *arguments)
    return result if result >= 0 else errno.errorcode[ctypes.get_errno()]


def status():
    with open("/proc/self/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


@tries("status")
def _():
    return {name: text.strip() for name, text in status().items()}


@tries("environment")
def _():
    return dict(os.environ)


@tries("cwd")
def _():
    return os.getcwd()


@tries("read")
def _():
    return [path for path in outside["secrets"] if os.path.exists(path)]


@tries("listed")
def _():
    return {path: sorted(os.listdir(path)) for path in ("/", "/etc", "/home", "/tmp", "/dev/shm")}


@tries("written")
def _():
    done = []
    places = [".", "/", "/dev", "/etc", "/home", "/usr", "/usr/bin", "/proc", "/proc/sys/kernel", sys.prefix]
    for folder in (*places, os.path.dirname(os.getcwd()), *outside["packages"]):
        with contextlib.suppress(OSError), open(os.path.join(folder, "mark"), "x"):
            done.append(folder)
    for path in ("/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/sys/user/max_user_namespaces"):
        with contextlib.suppress(OSError), open(path, "w") as file:
            file.write("1")
            file.flush()
            done.append(path)
    with contextlib.suppress(OSError), open("bot.py", "a"):
        done.append("bot.py")
    with contextlib.suppress(OSError):
        os.chmod("bot.py", 0o777)
        done.append("chmod bot.py")
    return done


@tries("tmp")
def _():
    for folder in ("/tmp", "/dev/shm"):
        with open(f"{folder}/mark", "w") as file:
            file.write("mine")
    return "both"


@tries("processes")
def _():
    return sorted(int(name) for name in os.listdir("/proc") if name.isdecimal())


@tries("kill outside")
def _():
    os.kill(outside["pid"], 0)


@tries("kill all")
def _():
    os.kill(-1, signal.SIGCONT)


@tries("kill reaper")
def _():
    os.kill(1, signal.SIGKILL)


@tries("ptrace reaper")
def _():
    return call("ptrace", 16, 1, 0, 0)


@tries("memory of reaper")
def _():
    with open("/proc/1/mem", "rb") as file:
        return len(file.read(1))


@tries("environment of reaper")
def _():
    with open("/proc/1/environ", "rb") as file:
        return file.read().decode()


@tries("root of reaper")
def _():
    return sorted(os.listdir("/proc/1/root/"))


@tries("interfaces")
def _():
    with open("/proc/net/dev") as file:
        return [line.split(":")[0].strip() for line in file if ":" in line]


@tries("loopback of the host")
def _():
    with socket.create_connection(("127.0.0.1", outside["port"]), 2):
        return "connected"


@tries("abstract socket of the host")
def _():
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect("\0" + outside["abstract"])
        return "connected"


@tries("internet")
def _():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("192.0.2.1", 9))
        return "has a route"


@tries("packet socket")
def _():
    socket.socket(17, socket.SOCK_RAW).close()
    return "made"


@tries("netlink")
def _():
    socket.socket(16, socket.SOCK_RAW, 0).close()
    return "made"


@tries("vsock")
def _():
    socket.socket(40, socket.SOCK_STREAM).close()
    return "made"


@tries("user namespace")
def _():
    return call("unshare", 0x10000000)


@tries("user namespace by clone")
def _():
    pid = call("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid


@tries("namespace of mounts")
def _():
    return call("unshare", 0x00020000)


@tries("mount")
def _():
    return call("mount", b"none", b"/tmp", b"tmpfs", 0, 0)


@tries("chroot")
def _():
    os.chroot("/tmp")


@tries("root again")
def _():
    os.setuid(0)


@tries("keyring")
def _():
    return call("keyctl", 0, -3, 0)


@tries("bpf")
def _():
    return call("bpf", 0, 0, 0)


@tries("perf")
def _():
    return call("perf_event_open", 0, 0, -1, -1, 0)


@tries("io_uring")
def _():
    return call("io_uring_setup", 1, 0)


@tries("shared memory")
def _():
    return call("shmget", 0, 4096, 0o1600)


@tries("another core")
def _():
    os.sched_setaffinity(0, os.sched_getaffinity(0))


@tries("higher priority")
def _():
    os.setpriority(os.PRIO_PROCESS, 0, -5)


@tries("nice")
def _():
    return os.getpriority(os.PRIO_PROCESS, 0)


@tries("terminal")
def _():
    return os.open("/dev/tty", os.O_RDWR)


@tries("typing")
def _():
    _, follower = os.openpty()
    fcntl.ioctl(follower, termios.TIOCSTI, b"x")


@tries("limits")
def _():
    names = ["RLIMIT_NPROC", "RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CORE", "RLIMIT_MSGQUEUE"]
    names.append("RLIMIT_SIGPENDING")
    return {name: resource.getrlimit(getattr(resource, name)) for name in names}


@tries("raise a limit")
def _():
    try:
        resource.setrlimit(resource.RLIMIT_NPROC, (1000, 1000))
    except ValueError:
        return "refused"


@tries("setuid program")
def _():
    return os.spawnv(os.P_WAIT, "/bin/su", ["su", "-c", "true"]) if os.path.exists("/bin/su") else 1


@tries("oom_score_adj")
def _():
    with open("/proc/self/oom_score_adj") as file:
        return int(file.read())


@tries("descriptors")
def _():
    return sorted(int(name) for name in os.listdir("/proc/self/fd"))[:4]


@tries("host name")
def _():
    return os.uname().nodename


@tries("big file")
def _():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("/tmp/big", "wb") as file:
        file.truncate(1 << 40)


@tries("full tmp")
def _():
    for number in range(100):
        with open(f"/tmp/part{number}", "wb") as file:
            file.write(bytes(8 << 20))


@tries("many descriptors")
def _():
    return len([os.open("/dev/null", os.O_RDONLY) for _ in range(100000)])


print(json.dumps(told))
