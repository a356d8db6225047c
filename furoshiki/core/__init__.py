"""What every room stands on: errors, paths, settings, logs, files, prompts, time, terminal."""
