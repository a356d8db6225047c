"""What the shell commands share: printing, Markdown, the keyboard, the screen."""
