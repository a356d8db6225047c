"""The processes, and what puts them together: the World, the table of jobs, the run of a job."""
