"""Tools of the MCP servers that the owner configured, offered to models like skills."""
