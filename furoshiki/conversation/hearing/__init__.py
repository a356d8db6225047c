"""What voice notes are heard with and answered with: offered where it is missing, fetched at one tap."""
