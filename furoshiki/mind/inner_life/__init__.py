"""What happens between conversations: the journal, questions, and who the companion is."""
