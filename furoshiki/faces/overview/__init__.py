"""What pages and programs are told, gathered once: memory, mind, tasks, jobs, costs, logs, health."""
