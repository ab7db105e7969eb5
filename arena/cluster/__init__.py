"""A league on a cluster: the bridge to the engine (Dask), and what a worker of it runs on its host."""
