"""What happens between conversations: reading them, the journal, questions, and who the companion is."""
