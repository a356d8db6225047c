"""Data for pages, commands and programs: memory, mind, tasks, jobs, costs, logs, health."""
