"""The command line: thin click commands that read arguments, call the arena and print.

Here stands what all commands share; the commands are in the rooms `organiser`, `author` and `workshop`, by
who uses them. Re-exports nothing. The modules that define commands import nothing heavy (no database, no
trio, no pages) outside the command's function: `--version`, `--help` and completion must answer at once.
"""
