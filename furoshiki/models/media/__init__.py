"""Media models paid by the piece: painting of pictures, and transcription of speech."""
