"""What somebody asks for in plain words: to forget something, or yes and no."""
