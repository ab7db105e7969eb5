"""How bots behaved and how evenly they met: disqualification and balance.

It is pure: it judges only what it is told.
"""
