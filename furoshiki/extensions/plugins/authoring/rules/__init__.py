"""Rules for wishes for plugins, and for the drafts written for them."""
