"""Looking after what the companion knows: backups, and bringing them back."""
