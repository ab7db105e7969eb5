"""Keeps on disk what a league has played. The only package that imports sqlmodel, sqlalchemy and psycopg.

    from arena.store import read, write
    from arena.store.database import Database

`database` opens it, in a file or on a server; the functions of `read` and `write` take that, or a session in
it. `views` holds what the store returns, and `lock` keeps a second run out: neither imports sqlmodel, which
takes half a second.
"""
