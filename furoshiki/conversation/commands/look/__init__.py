"""Commands that show how it is and who it says it is, and why it said what it said."""
