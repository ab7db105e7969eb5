"""How bots behaved and how evenly they met: disqualification and balance.

Pure: judges only what it is told.
"""
