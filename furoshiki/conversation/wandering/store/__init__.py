"""What the database knows of wanderings."""
