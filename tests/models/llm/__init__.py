"""The minds: providers over real HTTP, and everything that may go wrong on the way."""
