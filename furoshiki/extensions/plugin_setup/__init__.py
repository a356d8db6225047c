"""Plugins that come along, in the chat: offered, switched by taps, and asked for what they need."""
