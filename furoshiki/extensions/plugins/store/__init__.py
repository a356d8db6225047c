"""Database rows of plugins: installations, runs, texts for conversations, and jobs."""
