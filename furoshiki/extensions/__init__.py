"""Extensions of the companion: plugins, tool servers, and repairs of scripts."""
