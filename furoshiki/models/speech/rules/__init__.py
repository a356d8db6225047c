"""Rules for preparing texts for speech."""
