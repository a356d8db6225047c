"""Being put right in words: what is meant, and what is answered."""
