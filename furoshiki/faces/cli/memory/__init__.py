"""`furoshiki memory …`: looking up, correcting, forgetting, importing and exporting memories."""
