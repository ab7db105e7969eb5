"""The command line: thin click commands that read arguments, call the arena and print.

Re-exports nothing. The modules that define commands import click only, and everything else inside
the command's function: `--version`, `--help` and shell completion must answer at once.
"""
