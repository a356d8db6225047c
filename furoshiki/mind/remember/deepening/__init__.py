"""Consolidation with a mind: what a night of thinking makes of what was learned, grounded or not kept."""
