"""The rows that prove a milestone, and those that keep when it was reached and how long the companion has lived."""
