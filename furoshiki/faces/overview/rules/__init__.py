"""Pure rules of the overview: what is drawn and combined."""
