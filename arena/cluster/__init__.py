"""A league on a cluster: Dask carries the lines of referees between a run and the hosts that play it.

    coordinator -- bridge -- scheduler of Dask -- worker (`arena worker`) -- host process -- referees

What coordinator and referee tell each other is `arena.referee.jobs`, here as there. All that is added are
frames around these lines (`frames`). The bridge and the worker are asyncio, the rest is trio.
"""
