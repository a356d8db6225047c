"""The sandbox of plugins: system features, selected by testing, and supervision."""
