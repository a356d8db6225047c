"""Who the user is, and how they like to be spoken to."""
