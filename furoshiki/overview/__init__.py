"""What whoever looks after it is told, gathered once for pages and programs: tasks, jobs, costs, logs, health."""
