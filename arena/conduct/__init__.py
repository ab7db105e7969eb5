"""How bots behaved and how evenly they met: disqualification, balance. Pure: judges what it is told."""
