"""What a plugin may do beyond its own folder, call by call, over a socket that it inherits."""
