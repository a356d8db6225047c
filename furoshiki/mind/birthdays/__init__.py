"""Known birthdays, which are queued as thoughts when they are near."""
