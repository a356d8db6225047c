"""Distress in a message (danger, violence, death, a quarrel …): detection, weight, helplines."""
