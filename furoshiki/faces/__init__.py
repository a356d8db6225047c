"""What people look at and type: the set-up, shell commands, pages."""
