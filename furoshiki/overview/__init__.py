"""What pages and programs are told, gathered once for both: how it is and went, tasks, jobs, costs, logs, health."""
