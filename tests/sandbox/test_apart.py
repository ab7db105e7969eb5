"""What belongs to one sandbox alone: what it reads in /proc, its user, and what honest programs need."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.sandbox.probing import LOCKS, Locks
from arena.sandbox.sandbox import CLAIMS, FIRST_USER, USERS
from tests.sandbox.starting import ENVIRONMENT, Cell, is_locked, needs_sandbox

FROZEN = {
    *(f"/proc/{name}" for name in ("cpuinfo", "loadavg", "meminfo", "stat", "uptime", "version")),
    *(f"/proc/sys/fs/{name}" for name in ("file-max", "nr_open", "pipe-max-size")),
    *(f"/proc/sys/kernel/{name}" for name in ("cap_last_cap", "ngroups_max", "osrelease", "overflowgid")),
    *(f"/proc/sys/kernel/{name}" for name in ("overflowuid", "pid_max", "threads-max", "version")),
    *(f"/proc/sys/vm/{name}" for name in ("max_map_count", "mmap_min_addr", "overcommit_memory")),
    "/proc/sys/net/core/somaxconn",
}


def names(*lines: str) -> set[str]:
    return {name for line in lines for name in line.split()}


OF_ITS_OWN = names(
    "arch_status autogroup auxv cgroup clear_refs cmdline comm coredump_filter cpuset environ exe gid_map io",
    "ksm_merging_pages ksm_stat latency limits loginuid maps mountinfo mounts mountstats numa_maps oom_adj",
    "oom_score oom_score_adj pagemap patch_state personality projid_map sched schedstat seccomp_cache",
    "sessionid setgroups smaps smaps_rollup stack stat statm status syscall timens_offsets timers",
    "timerslack_ns uid_map wchan",
)
"""What the kernel says of one process. All but `autogroup` and `mountinfo`, which number sessions and mounts
of the whole machine, are its own numbers."""
OF_ITS_NETWORK = names(
    "anycast6 arp dev dev_mcast dev_snmp6/lo fib_trie fib_triestat icmp icmp6 if_inet6 igmp igmp6",
    "ip6_flowlabel ip6_mr_cache ip6_mr_vif ip_mr_cache ip_mr_vif ip_tables_matches ipv6_route mcfilter",
    "mcfilter6 netfilter/nf_log netfilter/nfnetlink_log netfilter/nfnetlink_queue netlink netstat",
    "nf_conntrack packet protocols psched ptype raw raw6 route rt6_stats rt_acct rt_cache snmp snmp6",
    "sockstat sockstat6 softnet_stat stat/arp_cache stat/ndisc_cache stat/nf_conntrack stat/rt_cache",
    "stat/synproxy tcp tcp6 udp udp6 udplite udplite6 unix vlan/config xfrm_stat",
)
"""What the kernel says of a network. In this one there is no socket but Unix ones."""


def test_proc_holds_what_is_stated_and_nothing_else(cell: Cell) -> None:
    cell.inmate("numbers")
    found: dict[str, str] = json.loads(cell.run().stdout)
    own = {path.removeprefix("/proc/self/") for path in found if path.startswith("/proc/self/")}
    assert own - OF_ITS_OWN - {f"net/{name}" for name in OF_ITS_NETWORK} == set()
    machine = {path: text for path, text in found.items() if not path.startswith("/proc/self/")}
    assert set(machine) - {"/proc/mounts"} <= FROZEN
    # What is frozen is the same in every sandbox, whatever the machine does meanwhile.
    again = json.loads(cell.run().stdout)
    assert {path: again[path] for path in set(machine) - {"/proc/mounts"}} == {
        path: text for path, text in machine.items() if path != "/proc/mounts"
    }


def test_what_honest_programs_need_works(cell: Cell) -> None:
    cell.inmate("honest")
    done = cell.run()
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told == {
        "rows": 60,
        "lockf": [True, False],
        "flock": [True, False],
        "shown": "read only",
        "process": "",
        "null": 7,
        "devices": [True, True],
        "terminal": "x",
        "lock": False,
        "memory": told["meminfo"],
        "meminfo": told["memory"],
        "cores": True,
        "advice": 0,
    }


def test_what_is_shown_is_as_it_was(tmp_path: Path) -> None:
    """Names that mount options would stumble over, a folder within a folder, a file alone, what is hidden."""
    needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    shown = tmp_path / "a:b,c d\\e"
    inner = shown / "inner"
    inner.mkdir(parents=True)
    (inner / "text").write_text("inner text")
    (shown / "run").write_text("#!/bin/sh\necho ran\n")
    (shown / "secret").write_text("secret")
    (tmp_path / "alone").write_text("alone")
    folder = tmp_path / "bot"
    folder.mkdir()
    for path in (tmp_path, shown, inner, folder, shown / "run"):
        path.chmod(0o755)
    script = (
        f"cd '{shown}'; ./run; cat inner/text '{tmp_path}/alone'; cat secret; cat /dev/null; echo x >>run"
    )
    cell = Cell("root" if os.geteuid() == 0 else "ordinary", folder)
    done = cell.run(
        "sh",
        "-c",
        script,
        read_only=[str(shown), str(inner), str(tmp_path / "alone")],
        hidden=[f"{shown}/secret"],
    )
    assert done.stdout.split() == ["ran", "inner", "textalone"], done.stderr
    assert "secret: Permission denied" in done.stderr
    assert "Read-only file system" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user has only itself to give")
def test_each_sandbox_of_root_is_a_user_of_its_own(tmp_path: Path) -> None:
    needs_sandbox()
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o755)
    cell = Cell("root", folder)
    runs = [
        subprocess.Popen(
            cell.argv("sh", "-c", "echo on; read line"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env=ENVIRONMENT,
        )
        for _ in range(3)
    ]
    try:
        assert [run.stdout.readline() for run in runs if run.stdout] == [b"on\n"] * 3
        users = {user for user in _users_in(folder) if user != 0}
        claimed = _claimed()
    finally:
        for run in runs:
            run.communicate()
    assert len(users) == 3
    assert all(FIRST_USER <= user < FIRST_USER + USERS for user in users)
    assert {user - FIRST_USER for user in users} <= claimed
    assert stat.S_IMODE(Path(CLAIMS).stat().st_mode) == 0o600
    assert comes_true(lambda: not {user - FIRST_USER for user in users} & _claimed())


def comes_true(what: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while not what():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _users_in(folder: Path) -> set[int]:
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and (entry / "cwd").readlink() == folder:
                found.add(entry.stat().st_uid)
        except OSError:
            continue
    return found


def _claimed() -> set[int]:
    """The places of the file of claims that are locked, by whatever process."""
    inode = Path(CLAIMS).stat().st_ino
    lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return {int(line[-2]) for line in lines if line[-3].endswith(f":{inode}")}


def test_the_locks_are_held_by_one_and_handed_on() -> None:
    """Whether by these or by an arena that plays meanwhile: while somebody wants them, somebody has them."""
    LOCKS.release()
    first, second = Locks(), Locks()
    first.hold()
    try:
        assert comes_true(is_locked)
        second.hold()
        first.release()
        assert comes_true(is_locked)
    finally:
        first.release()
        second.release()
        LOCKS.hold()
