"""Pure code: frozen values in, frozen values out; no input or output, no clock, no dice of its own."""
