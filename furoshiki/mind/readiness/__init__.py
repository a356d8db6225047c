"""The companion's development: milestones with their evidence, and its lifetime."""
