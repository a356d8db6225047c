"""Times that are past: which days a question means, since when a fact is true, when something was told to have been."""
