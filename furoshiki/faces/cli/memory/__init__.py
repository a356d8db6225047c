"""`furoshiki memory …`: looking, correcting, forgetting, importing and exporting."""
