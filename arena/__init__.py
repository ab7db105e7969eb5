"""The arena: plays leagues of Papayoo bots and judges them. Re-exports nothing: import what you need."""

__version__ = "0.1.0"
"""Known without asking the installed distribution, for that takes as long as all else of `--version`."""
