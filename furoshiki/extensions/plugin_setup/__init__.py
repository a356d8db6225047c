"""Plugins that come along, in the chat: offered, switched and set up by taps; and one to begin with."""
