"""One bot as a program: folder, process, limits, lines and their clock. Knows no cards and no league."""
