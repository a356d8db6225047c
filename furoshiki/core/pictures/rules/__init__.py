"""From figures to shapes: scales, ticks, colours, layout. Pure."""
