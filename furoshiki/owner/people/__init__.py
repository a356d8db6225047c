"""Users other than the owner: who speaks, and where their data is stored."""
