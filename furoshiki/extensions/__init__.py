"""What it can be given: plugins, tool servers, repairs."""
