"""What a league has played, on disk: the only package that imports sqlmodel and sqlalchemy.

Re-exports nothing, because importing sqlmodel takes half a second and the pages only need the plain
data: `views` is what the store tells, `inputs` what it is told, `lock` keeps a second run out; none of
them imports sqlmodel. `database` opens the file, `reader` and `writer` work on it.
"""
