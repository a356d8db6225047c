"""What arrived, understood: words, attachments, voice, signals; it gives a Percept."""
