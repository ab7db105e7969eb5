"""Keeps on disk what a league has played. The only package that imports sqlmodel, sqlalchemy and psycopg.

It re-exports nothing, because importing sqlmodel takes half a second and the pages need only the plain
data. `views` holds what the store returns, `inputs` what it accepts, and `lock` keeps a second run out.
None of these three imports sqlmodel. `database` opens it, in a file or on a
server; `reader` and `writer` work on it.
"""
