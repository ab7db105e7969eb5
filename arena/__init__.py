"""The arena: plays leagues of Papayoo bots and judges them. Re-exports nothing: import what you need."""

__version__ = "0.2.0"
"""Written here because asking the installed distribution takes as long as all the rest of `--version`."""
