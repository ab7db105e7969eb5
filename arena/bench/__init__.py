"""The benchmark: what the arena costs on this machine beside the bots.

`tables` plays real matches through a real referee with bots that hardly think, `coordinator` stores a league
whose matches were played beforehand and writes its pages. `python -m arena.bench` prints both.
"""
