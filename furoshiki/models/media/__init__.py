"""What a provider makes by the piece beside talking: pictures it paints, speech it turns into text."""
