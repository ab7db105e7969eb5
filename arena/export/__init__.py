"""Exports a season as tables for other programs: their columns, their rows, and three formats."""

from __future__ import annotations

from arena.export.formats import Format as Format
from arena.export.formats import encoded as encoded
from arena.export.rows import Export as Export
from arena.export.rows import rounded as rounded
from arena.export.rows import standing_cells as standing_cells
from arena.export.rows import table_rows as table_rows
from arena.export.tables import TABLES as TABLES
from arena.export.tables import What as What
from arena.export.tables import columns_markdown as columns_markdown
from arena.export.tables import columns_of as columns_of
from arena.score.columns import Cell as Cell
