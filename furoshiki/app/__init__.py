"""The processes, and their assembly: the World, the table of jobs, the run of a job."""
