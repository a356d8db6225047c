"""What is shown at a terminal and typed at one: printing, Markdown, the keyboard, the screen of a chat."""
