"""The command line: thin click commands that read arguments, call the arena and print.

The modules beside this file are shared by all commands. The commands themselves are in `organiser` and
`author`, by who uses them. Re-exports nothing. Modules that define commands must not import anything
heavy (database, trio, pages) outside the command's function: `--version`, `--help` and completion must
answer at once.
"""
