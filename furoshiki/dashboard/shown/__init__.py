"""What a page shows and the API tells of one subject, gathered once for both."""
