"""Dask as the engine of a cluster: its settings, the scheduler, why nobody answers.

Knows no run. Dask is loaded only when one of these functions needs it: it takes long, and may be missing.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import ssl
import sys
import warnings
from collections.abc import Coroutine
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from arena.cluster.address import CERTIFICATE, KEY
from arena.errors import UsageError
from arena.linux.endings import ENDING_SIGNALS

ERRORS = (OSError, RuntimeError, ValueError, TypeError, MemoryError)
"""The errors with which Dask says that it cannot connect or listen. A MemoryError is one: what is no
scheduler may say what Dask takes for the size of a message."""
_SETTINGS = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.low-level-log-length": 100,
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-ttl": "30s",
}
"""The settings of Dask: idle processes are quiet, and what is played again is left to the arena."""
_TRY_SECONDS = 5.0


def engine() -> Any:
    """Return Dask, with our settings. Raises UsageError where it is not installed."""
    try:
        dask = import_module("distributed")
    except ModuleNotFoundError:
        raise UsageError("Dask is not installed here: pip install 'papayoo-arena[dask]'") from None
    import_module("dask").config.set(_SETTINGS)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", message="Couldn't detect a suitable IP address")
    return dask


def security_of(tls: Path | None) -> Any:
    """Return what Dask needs to know of the certificate, with which all of a cluster know each other."""
    if tls is None:
        return None
    cert, key = str(tls / CERTIFICATE), str(tls / KEY)
    pairs = {f"tls_{role}_{what}": file for role in ("client", "scheduler", "worker")
             for what, file in (("cert", cert), ("key", key))}  # fmt: skip
    return engine().Security(tls_ca_file=cert, require_encryption=True, **pairs)


def why_nobody_answers(address: str, error: BaseException) -> str:
    """Return why there is no scheduler at an address, and what to do. `error`: what Dask said."""
    said = f"{error} {error.__cause__ or ''}"
    causes = [error, error.__cause__, error.__context__]
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "SSL" in said or "certificate" in said:
        return (
            f"{address} refuses the certificate, or is not the scheduler that it should be: all machines of "
            "a cluster need the same folder of [cluster] tls"
        )
    if isinstance(error, TypeError | MemoryError):
        return f"at {address} something else than a scheduler answers (see docs/cluster.md)"
    if isinstance(error, ValueError | RuntimeError):
        return f"{address} is no address of a scheduler, or does not go with the certificate: {error}"
    other = "" if address.startswith("tls:") else ", or the one there wants TLS (tls://)"
    return f"no scheduler answers at {address}{other}. Start one there: see docs/cluster.md"


async def why_not_let_in(address: str, tls: Path | None, error: BaseException) -> str:
    """Return why a worker is not let in at an address, by trying once more. `error`: what Dask said."""
    arguments = {} if tls is None else security_of(tls).get_connection_args("worker")
    try:
        found = await import_module("distributed.core").connect(address, timeout=_TRY_SECONDS, **arguments)
    except ERRORS as failure:
        return why_nobody_answers(address, failure)
    await found.close()
    return f"the scheduler at {address} does not let us in: {error.__cause__ or error}"


def be_scheduler(address: str, tls: Path | None) -> None:
    """Be the scheduler of a cluster, until a signal ends it. Raises UsageError where that cannot be."""
    engine()
    # It holds a connection to each worker; systems begin with 1,024.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, hard // 2), hard))
    asyncio.run(until_a_signal(_schedule(address, tls)))


async def _schedule(address: str, tls: Path | None) -> None:
    # Its pages of figures are seen from this machine alone.
    pages = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
    try:
        scheduler = await engine().Scheduler(host=address, security=security_of(tls), **pages)
    except ERRORS as error:
        why = error.__cause__ or error
        raise UsageError(f"{address}: no scheduler can be started here: {why}") from None
    note(f"the scheduler is at {scheduler.address}")
    try:
        await scheduler.finished()
    finally:
        await scheduler.close()


async def until_a_signal(work: Coroutine[Any, Any, None]) -> None:
    """Do this work until a signal ends it."""
    task = asyncio.ensure_future(work)
    for number in ENDING_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task


def note(said: str) -> None:
    """Say something to who has started this process."""
    print(said, file=sys.stderr, flush=True)
