"""How bots behaved and how evenly they met: exclusion and balance.

It is pure: it judges only what it is told.
"""
