"""The mind: one use case per file, each handed a World and answering what it did."""
