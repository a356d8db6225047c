"""What the database knows of topics and of how messages were answered."""
