"""Charts of values over time, as SVG and PNG."""
