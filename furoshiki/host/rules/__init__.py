"""Pure rules of the host: turns of jobs, readiness, staggering."""
