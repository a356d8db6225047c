"""Which node of several has a home: leases in PostgreSQL, taken and renewed by the listener, seen by everybody else."""
