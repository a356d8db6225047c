"""What the companion wonders about: raised, looked into, explored."""
