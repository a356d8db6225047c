"""Tools of MCP servers that the owner named, offered to the mind as skills are."""
