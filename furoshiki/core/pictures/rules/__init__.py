"""From values to shapes: scales, marks, colours, layout. Pure functions."""
