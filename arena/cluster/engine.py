"""The engine as the bridge sees it: workers that come and go, and functions called on them.

`DaskEngine` is a client of a Dask cluster (https://distributed.dask.org), and the only thing in the arena
that imports it. Tests and measurements have engines of their own. Knows no league and no line.

    EngineError
    |-- NoClusterError      there is no scheduler, or it is gone
    |-- WorkerGoneError     the worker has left before it answered
    `-- CallFailedError     the function could not be called, or raised
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

from arena.cluster.bridge_lines import Tls

__all__ = ["CallFailedError", "DaskEngine", "Engine", "EngineError", "NoClusterError", "WorkerGoneError"]

_CONNECT_SECONDS = 10.0
_LOOK_SECONDS = 2.0
"""The time after which the workers are counted again even if no event has told of any."""
_ANSWER_SECONDS = 20.0
"""The longest time that a scheduler may take to say which workers it has. Then it is taken for gone."""

_LOST = frozenset(
    {
        "CancelledError",
        "ClosedClientError",
        "CommClosedError",
        "FutureCancelledError",
        "KilledWorker",
        "NoValidWorkerError",
    }
)
"""The errors of Dask that say that a worker was lost: by name, because only `connect` may import Dask."""


class EngineError(Exception):
    """The base of what goes wrong with an engine. Its text is for people."""


class NoClusterError(EngineError):
    """There is no scheduler, it does not let us in, or it is gone."""


class WorkerGoneError(EngineError):
    """A worker has left before it answered. Nobody knows how far it came."""


class CallFailedError(EngineError):
    """A function could not be called on a worker, or raised there."""


class Engine(Protocol):
    """Workers, by their addresses, on which functions can be called."""

    async def workers(self) -> frozenset[str]:
        """Return the workers that are there now. Raises NoClusterError."""

    async def change(self) -> None:
        """Wait until workers may have come or gone, at most some seconds."""

    async def gone(self, worker: str) -> None:
        """Wait until a worker has left."""

    async def call(self, worker: str, function: Callable[..., Any], *arguments: object) -> Any:
        """Return what a function returns on a worker, after what it was called for before.

        Raises WorkerGoneError, CallFailedError.
        """

    async def tell(self, worker: str, function: Callable[..., Any], *arguments: object) -> Any:
        """Return what a function returns on a worker, at once, beside what it is doing. Raises as `call`."""

    async def close(self) -> None:
        """Leave the cluster. What is still being called is given up."""


class DaskEngine:
    """A client of a Dask cluster. `connect` makes one."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._changed = asyncio.Event()
        self._gone: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        client.subscribe_topic("all", self._heard)

    @classmethod
    async def connect(cls, address: str, tls: Tls | None) -> DaskEngine:
        """Return the engine behind the scheduler at `address`. Raises NoClusterError with what to do."""
        try:
            dask: Any = import_module("distributed")
        except ModuleNotFoundError as error:
            raise NoClusterError("Dask is not installed here: pip install 'papayoo-arena[dask]'") from error
        security = None
        if tls is not None:
            security = dask.Security(
                tls_ca_file=tls.ca, tls_client_cert=tls.cert, tls_client_key=tls.key, require_encryption=True
            )
        try:
            client = await dask.Client(
                address,
                asynchronous=True,
                security=security,
                set_as_default=False,
                # Results come through the scheduler, so that workers need not be reached from here.
                direct_to_workers=False,
                timeout=_CONNECT_SECONDS,
                name="arena",
            )
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise NoClusterError(_why_not(address, error)) from error
        return cls(client)

    async def workers(self) -> frozenset[str]:
        """Return the workers that are there now. Raises NoClusterError."""
        if self._client.status != "running":
            raise NoClusterError("the scheduler is gone")
        try:
            found = await asyncio.wait_for(self._client.nthreads(), _ANSWER_SECONDS)
        except (OSError, TimeoutError, RuntimeError) as error:
            raise NoClusterError(f"the scheduler is gone ({type(error).__name__})") from error
        here = frozenset(found)
        for worker in self._gone.keys() - here:
            self._has_gone(worker)
        return here

    async def change(self) -> None:
        """Wait until workers may have come or gone, at most some seconds."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), _LOOK_SECONDS)
        self._changed.clear()

    async def gone(self, worker: str) -> None:
        """Wait until a worker has left."""
        await self._gone[worker].wait()

    async def call(self, worker: str, function: Callable[..., Any], *arguments: object) -> Any:
        """Return what a function returns on a worker, after what it was called for before.

        Raises WorkerGoneError, CallFailedError.
        """
        return await self._answer(worker, self._result(worker, function, arguments))

    async def tell(self, worker: str, function: Callable[..., Any], *arguments: object) -> Any:
        """Return what a function returns on a worker, at once, beside what it is doing. Raises as `call`."""
        told = await self._answer(worker, self._client.run(function, *arguments, workers=[worker]))
        if worker not in told:
            raise WorkerGoneError("it does not answer")
        return told[worker]

    async def close(self) -> None:
        """Leave the cluster. What is still being called is given up."""
        with contextlib.suppress(OSError, TimeoutError, RuntimeError):
            await asyncio.wait_for(self._client.close(), _LOOK_SECONDS)

    async def _result(self, worker: str, function: Callable[..., Any], arguments: Sequence[object]) -> Any:
        """Return the result of a task, whatever it raises."""
        key = f"arena-{function.__name__}-{uuid.uuid4().hex}"
        future = self._client.submit(
            function, *arguments, key=key, workers=[worker], allow_other_workers=False, retries=0, pure=False
        )
        try:
            return await future.result()
        finally:
            # Never played a second time: whoever called has heard of the first time, or of its loss.
            future.release()

    async def _answer(self, worker: str, asked: Any) -> Any:
        answer = asyncio.ensure_future(asked)
        gone = asyncio.ensure_future(self.gone(worker))
        try:
            await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise WorkerGoneError("it has left the cluster")
            return _taken(answer)
        finally:
            gone.cancel()
            answer.cancel()

    def _heard(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Take note of an event of the scheduler: of workers that come and go."""
        _, told = event
        action = told.get("action")
        if action == "remove-worker" and "worker" in told:
            self._has_gone(str(told["worker"]))
        if action in {"add-worker", "remove-worker"}:
            self._changed.set()

    def _has_gone(self, worker: str) -> None:
        # Forgotten too: the next worker may come to the same address, as with `--worker-port`.
        if (gone := self._gone.pop(worker, None)) is not None:
            gone.set()


def _taken(answer: asyncio.Future[Any]) -> Any:
    """Return the result of a call that is over. Raises WorkerGoneError, CallFailedError."""
    if answer.cancelled():
        raise WorkerGoneError("the cluster has dropped what it was asked")
    error = answer.exception()
    if error is None:
        return answer.result()
    name = type(error).__name__
    if name in _LOST:
        raise WorkerGoneError("it was lost")
    if isinstance(error, OSError):
        raise WorkerGoneError(f"it cannot be reached: {error}")
    raise CallFailedError(f"{name}: {error}")


def _why_not(address: str, error: BaseException) -> str:
    """Return why there is no cluster at an address, and what to do."""
    said = f"{error} {error.__cause__ or ''}"
    causes = [error, error.__cause__, error.__context__]
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "SSL" in said or "certificate" in said:
        return (
            f"{address} refuses the certificate, or is not the scheduler that it should be: check "
            "the files of [cluster] tls, which one authority must have signed on both sides"
        )
    if isinstance(error, TypeError):
        return f"at {address} something else than a scheduler answers, such as a worker (see docs/cluster.md)"
    if isinstance(error, ValueError | RuntimeError):
        return f"{address} is no address of a scheduler, or does not go with the certificate: {error}"
    other = "" if address.startswith("tls:") else ", or the one there wants TLS (tls://)"
    return f"no scheduler answers at {address}{other}. Start one there: dask scheduler (see docs/cluster.md)"
