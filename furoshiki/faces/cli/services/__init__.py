"""`furoshiki up`, `run`, `service`, `host` and others: the processes and their schedules."""
