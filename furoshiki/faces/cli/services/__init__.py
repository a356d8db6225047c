"""`furoshiki up`, `start`, `run` and what belongs to the processes: schedules, logs, migration."""
