"""Looking back: what conversations leave behind."""
