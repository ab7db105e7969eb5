"""Exports a season as tables for other programs: their columns, their rows, and three formats."""

from __future__ import annotations

from arena.export.formats import Format, encoded, harmless
from arena.export.rows import Export, rounded, standing_cells, table_rows
from arena.export.tables import TABLES, Column, What, columns_markdown, columns_of
from arena.score.columns import Cell

__all__ = [
    "TABLES",
    "Cell",
    "Column",
    "Export",
    "Format",
    "What",
    "columns_markdown",
    "columns_of",
    "encoded",
    "harmless",
    "rounded",
    "standing_cells",
    "table_rows",
]
