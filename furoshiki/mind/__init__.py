"""What the companion does between conversations."""
