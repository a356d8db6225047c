"""Pictures of figures over time, as SVG and as PNG."""
