"""The companion's own questions: raised, looked into, explored."""
