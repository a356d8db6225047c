"""Tables with the evidence of milestones, the time of reaching them, and the lifetime."""
