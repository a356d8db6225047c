"""What must be true in every simulated life: plain functions that work it out themselves and call none of the gates."""
