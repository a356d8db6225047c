"""Shared foundations: errors, paths, settings, logs, files, prompts, time, terminal."""
