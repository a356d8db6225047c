"""The SDK for plugin authors: one module, readable in the sandbox, importing no other."""
