"""What is heavy in a message (danger, violence, death, a quarrel …): noticed, weighed, and whom to call."""
