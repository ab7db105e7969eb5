"""One of two programs that try to talk: by every channel that one machine offers two of its processes.

It does what it is told on standard input and answers each line with one line of JSON. A line is a word, the
name of a channel, and a bit:

    ready CHANNEL 0     get ready to listen or to send
    send CHANNEL BIT    make the bit felt: for 1 do something, for 0 do nothing
    look CHANNEL 0      say the bit that is felt, 0 or 1
    calm CHANNEL 0      undo what was sent
    close CHANNEL 0     close what it was ready with: few descriptors may be open

The answer is null, a bit, or a text: why it cannot be done.
"""

# ruff: noqa: PTH108, PTH110, PTH116, PTH123 - it tries calls to the kernel, one each

import contextlib
import ctypes
import fcntl
import json
import mmap
import os
import re
import resource
import select
import signal
import socket
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)
WHOLE = (0, 0, 0, 0)
SHOWN = "/usr/bin/env"


def done(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def flock_bytes(kind):
    return struct.pack("hhqqi", kind, *WHOLE)


class Way:
    """A channel. `fd`: what it holds open while it is used, or -1."""

    fd = -1

    def close(self):
        if self.fd >= 0:
            os.close(self.fd)
        self.fd = -1


class Lock(Way):
    """A lock on something that both can open. `opened`: makes the descriptor. `how`: the kind of lock."""

    def __init__(self, opened, how):
        self.opened, self.how = opened, how

    def ready(self):
        self.fd = self.opened()

    def take(self, kind):
        if self.how == "flock":
            fcntl.flock(self.fd, {fcntl.F_UNLCK: fcntl.LOCK_UN}.get(kind, fcntl.LOCK_EX) | fcntl.LOCK_NB)
        else:
            fcntl.fcntl(self.fd, 6 if self.how == "posix" else 37, flock_bytes(kind))

    def send(self, bit):
        if bit:
            with contextlib.suppress(BlockingIOError, PermissionError):
                self.take(fcntl.F_RDLCK)

    def look(self):
        if self.how == "flock":
            try:
                self.take(fcntl.F_WRLCK)
            except BlockingIOError:
                return 1
            self.take(fcntl.F_UNLCK)
            return 0
        answer = fcntl.fcntl(self.fd, 5 if self.how == "posix" else 36, flock_bytes(fcntl.F_WRLCK))
        return int(struct.unpack("hhqqi", answer)[0] != fcntl.F_UNLCK)

    def calm(self):
        with contextlib.suppress(OSError):
            self.take(fcntl.F_UNLCK)


def opens(path, flags=os.O_RDONLY):
    return lambda: os.open(path, flags)


class Lease(Way):
    """A lease for writing fails while somebody else has the file open. No other channel opens it."""

    def ready(self):
        os.close(os.open("leased", os.O_RDONLY))
        self.fds = []

    def send(self, bit):
        if bit:
            self.fds = [os.open("leased", os.O_RDONLY)]

    def look(self):
        fd = os.open("leased", os.O_RDONLY)
        try:
            fcntl.fcntl(fd, 1024, fcntl.F_WRLCK)
        except BlockingIOError:
            return 1
        finally:
            os.close(fd)
        return 0

    def calm(self):
        for fd in self.fds:
            os.close(fd)
        self.fds = []


class Inotify(Way):
    """Who watches a file is told when another opens it."""

    def __init__(self, path):
        self.path = path

    def ready(self):
        self.fd = done(libc.inotify_init1(os.O_NONBLOCK))
        done(libc.inotify_add_watch(self.fd, self.path.encode(), 0x20))

    def send(self, bit):
        if bit:
            os.close(os.open(self.path, os.O_RDONLY))

    def look(self):
        try:
            return int(bool(os.read(self.fd, 1 << 16)))
        except BlockingIOError:
            return 0

    def calm(self):
        with contextlib.suppress(BlockingIOError, AttributeError):
            os.read(self.fd, 1 << 16)


class Dnotify(Way):
    """Who asks for signals about a folder gets one when another reads a file in it."""

    def ready(self):
        self.felt = 0
        signal.signal(signal.SIGIO, self.feel)
        self.fd = os.open(".", os.O_RDONLY)
        fcntl.fcntl(self.fd, 1026, 0x80000000 | 1)

    def feel(self, *_):
        self.felt = 1

    def send(self, bit):
        if bit:
            with open("shared", "rb", buffering=0) as file:
                file.read(1)

    def look(self):
        return self.felt

    def calm(self):
        self.felt = 0


class Hint(Way):
    """A hint about writes belongs to the file, and whoever opens it can read it."""

    def ready(self):
        self.fd = os.open("shared", os.O_RDONLY)

    def send(self, bit):
        fcntl.fcntl(self.fd, 1036, struct.pack("Q", 2 if bit else 0))

    def look(self):
        return int(struct.unpack("Q", fcntl.fcntl(self.fd, 1035, bytes(8)))[0] == 2)

    def calm(self):
        pass


class Times(Way):
    """The times of a device can be set by whoever may write to it."""

    def ready(self):
        self.before = os.stat("/dev/null").st_mtime_ns

    def send(self, bit):
        while bit and not self.look():  # the clock of times moves once in some milliseconds
            os.utime("/dev/null")

    def look(self):
        return int(os.stat("/dev/null").st_mtime_ns != self.before)

    def calm(self):
        self.before = os.stat("/dev/null").st_mtime_ns


class Cache(Way):
    """What one has read of a file is in memory, and a read that must not wait tells that."""

    def __init__(self, how):
        self.how = how

    def ready(self):
        self.fd = os.open("shared", os.O_RDONLY)
        self.size = os.fstat(self.fd).st_size

    def send(self, bit):
        if bit:
            os.pread(self.fd, self.size, 0)

    def look(self):
        if self.how == "nowait":
            try:
                return int(os.preadv(self.fd, [bytearray(4096)], self.size // 2, os.RWF_NOWAIT) > 0)
            except BlockingIOError:
                return 0
        with mmap.mmap(
            self.fd, self.size, prot=mmap.PROT_READ | mmap.PROT_WRITE, flags=mmap.MAP_PRIVATE
        ) as area:
            start = ctypes.addressof(ctypes.c_char.from_buffer(area))
            told = (ctypes.c_ubyte * (self.size // 4096))()
            done(libc.mincore(ctypes.c_void_p(start), ctypes.c_size_t(self.size), told))
            return told[self.size // 8192] & 1

    def calm(self):
        os.posix_fadvise(self.fd, 0, 0, os.POSIX_FADV_DONTNEED)


class Pending(Way):
    """The signals that wait are counted for a user."""

    def ready(self):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN + 5])

    def queue(self):
        return libc.sigqueue(os.getpid(), signal.SIGRTMIN + 5, ctypes.c_void_p(0))

    def send(self, bit):
        while bit and self.queue() == 0:
            pass

    def look(self):
        return int(self.queue() != 0)

    def calm(self):
        while signal.sigtimedwait([signal.SIGRTMIN + 5], 0) is not None:
            pass


class Pipes(Way):
    """The memory of a user's pipes is limited, and beyond the limit new pipes are small."""

    def ready(self):
        self.held, self.children = [], []

    def send(self, bit):
        if not bit:
            return
        try:
            while len(self.held) < 40:
                self.held += os.pipe()
                fcntl.fcntl(self.held[-1], 1031, 1 << 20)
        except OSError:
            self.crowd()

    def crowd(self):
        """Without the right to make pipes larger: many processes with many pipes."""
        with contextlib.suppress(OSError):
            while len(self.children) < 60:
                reader, writer = os.pipe()
                child = os.fork()
                if child == 0:
                    with contextlib.suppress(OSError):
                        while True:
                            os.pipe()
                    os.write(writer, b"x")
                    signal.pause()
                self.children.append(child)
                os.close(writer)
                os.read(reader, 1)
                os.close(reader)

    def look(self):
        both = os.pipe()
        size = fcntl.fcntl(both[0], 1032)
        for fd in both:
            os.close(fd)
        return int(size < 65536)

    def calm(self):
        for fd in self.held:
            os.close(fd)
        for child in self.children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        self.held, self.children = [], []


class Flight(Way):
    """The descriptors that are in flight between processes are counted for a user."""

    def ready(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        self.pairs = []

    def fill(self, number):
        pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.pairs.append(pair)
        socket.send_fds(pair[0], [b"x"], [0] * number)

    def send(self, bit):
        if bit:
            self.fill(200)

    def look(self):
        try:
            self.fill(1)
        except OSError:
            return 1
        finally:
            self.calm()
        return 0

    def calm(self):
        for pair in self.pairs:
            for end in pair:
                end.close()
        self.pairs = []


class Instances(Way):
    """The watchers of inotify are counted for a user."""

    def ready(self):
        self.fds = []
        os.close(done(libc.inotify_init1(0)))

    def send(self, bit):
        with contextlib.suppress(OSError):
            while bit:
                self.fds.append(done(libc.inotify_init1(0)))

    def look(self):
        try:
            os.close(done(libc.inotify_init1(0)))
        except OSError:
            return 1
        return 0

    def calm(self):
        for fd in self.fds:
            os.close(fd)
        self.fds = []


class Counter(Way):
    """A number that the kernel shows to all. `raised`: makes it larger, and returns how to undo that."""

    def __init__(self, path, pattern, raised, least):
        self.path, self.pattern, self.raised, self.least = path, pattern, raised, least

    def number(self):
        with open(self.path) as file:
            return int(re.search(self.pattern, file.read())[1])

    def ready(self):
        self.undo = lambda: None
        self.before = self.number()

    def send(self, bit):
        if bit:
            self.undo = self.raised()

    def look(self):
        return int(self.number() - self.before >= self.least)

    def calm(self):
        self.undo()
        self.undo = lambda: None
        with contextlib.suppress(OSError, TypeError):
            self.before = self.number()


def terminals():
    held = [fd for _ in range(4) for fd in os.openpty()]
    return lambda: [os.close(fd) for fd in held]


def requests():
    context = ctypes.c_ulong(0)
    numbers = {"x86_64": (206, 207)}
    setup, destroy = numbers.get(os.uname().machine, (0, 1))
    done(libc.syscall(setup, 512, ctypes.byref(context)))
    return lambda: libc.syscall(destroy, context)


def memory():
    fd = os.memfd_create("x")
    for _ in range(8):
        os.write(fd, bytes(1 << 20))
    return lambda: os.close(fd)


def processes():
    born = []
    for _ in range(30):
        child = os.fork()
        if child == 0:
            signal.pause()
        born.append(child)

    def undo():
        for child in born:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)

    return undo


def internet():
    held = [socket.socket(socket.AF_INET, socket.SOCK_STREAM) for _ in range(20)]
    return lambda: [sock.close() for sock in held]


class Abstract(Way):
    """Abstract Unix sockets have names that all in a network see."""

    def ready(self):
        self.sock = None

    def send(self, bit):
        if bit:
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.bind("\0papayoo-pair")
            self.sock.listen()

    def look(self):
        with socket.socket(socket.AF_UNIX) as sock:
            return int(sock.connect_ex("\0papayoo-pair") == 0)

    def calm(self):
        if self.sock is not None:
            self.sock.close()
        self.sock = None


class Named(Way):
    """A file in a folder that all may write."""

    def __init__(self, folder):
        self.path = folder + "/papayoo-pair"

    def ready(self):
        pass

    def send(self, bit):
        if bit:
            open(self.path, "w").close()

    def look(self):
        return int(os.path.exists(self.path))

    def calm(self):
        with contextlib.suppress(OSError):
            os.unlink(self.path)


watcher = select.epoll()
CHANNELS = {
    **{
        f"{how} on {name}": Lock(opened, how)
        for how in ("posix", "ofd", "flock")
        for name, opened in {
            "a shown program": opens(SHOWN),
            "Python": opens(sys.executable),
            "the own program": opens("/proc/self/exe"),
            "a file of /etc": opens("/etc/ld.so.cache"),
            "the bot's file": opens("shared"),
            "/usr": opens("/usr"),
            "the bot's folder": opens("."),
            "/": opens("/"),
            "/proc": opens("/proc"),
            "/proc/version": opens("/proc/version"),
            "/proc/meminfo": opens("/proc/meminfo"),
            "/dev": opens("/dev"),
            "/dev/null": opens("/dev/null", os.O_RDWR),
            "/dev/urandom": opens("/dev/urandom"),
            "/dev/zero": opens("/dev/zero"),
            "the reaper's input": opens("/proc/1/fd/0"),
            "an event": lambda: os.eventfd(0),
            "a watcher": lambda: os.dup(watcher.fileno()),
            "the clocks' namespace": opens("/proc/self/ns/time"),
            "the users' namespace": opens("/proc/self/ns/user"),
            "the groups' namespace": opens("/proc/self/ns/cgroup"),
            "/dev/shm": opens("/dev/shm"),
            "/tmp": opens("/tmp"),
            "/dev/ptmx": opens("/dev/ptmx", os.O_RDWR | os.O_NOCTTY),
        }.items()
    },
    "lease": Lease(),
    "inotify on a shown file": Inotify(SHOWN),
    "inotify on /dev/null": Inotify("/dev/null"),
    "dnotify": Dnotify(),
    "hint": Hint(),
    "times of /dev/null": Times(),
    "page cache by reads": Cache("nowait"),
    "page cache by mincore": Cache("mincore"),
    "waiting signals": Pending(),
    "memory of pipes": Pipes(),
    "descriptors in flight": Flight(),
    "watchers of inotify": Instances(),
    "terminals": Counter("/proc/sys/kernel/pty/nr", r"(\d+)", terminals, 4),
    "asynchronous requests": Counter("/proc/sys/fs/aio-nr", r"(\d+)", requests, 512),
    "memory in /proc/meminfo": Counter("/proc/meminfo", r"Shmem: +(\d+)", memory, 4096),
    "memory in /proc/vmstat": Counter("/proc/vmstat", r"nr_shmem (\d+)", memory, 1024),
    "threads in /proc/loadavg": Counter("/proc/loadavg", r"/(\d+)", processes, 20),
    "forks in /proc/stat": Counter("/proc/stat", r"processes (\d+)", processes, 30),
    "memory in /proc/net/sockstat": Counter("/proc/net/sockstat", r"alloc (\d+)", internet, 15),
    "abstract socket": Abstract(),
    "file in /tmp": Named("/tmp"),
    "file in /dev/shm": Named("/dev/shm"),
}


def main():
    print(json.dumps(list(CHANNELS)), flush=True)
    for line in sys.stdin:
        word, channel, bit = line.rstrip("\n").split("\t")
        try:
            way = CHANNELS[channel]
            answer = way.send(int(bit)) if word == "send" else getattr(way, word)()
        except Exception as error:
            answer = f"{word}: {error}"
        print(json.dumps(answer if isinstance(answer, (int, str)) else None), flush=True)


if __name__ == "__main__":
    main()
