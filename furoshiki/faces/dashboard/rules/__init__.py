"""Pure rules of the pages: layouts of diagrams."""
