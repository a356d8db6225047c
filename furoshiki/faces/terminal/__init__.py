"""Terminal input and output: printing, Markdown, the keyboard, the screen of a chat."""
