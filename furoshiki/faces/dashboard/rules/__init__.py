"""Pure judgements of the pages: scales, layouts, cursors, wording."""
