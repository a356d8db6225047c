"""Acting in steps: the plan-and-act loop, long tasks, and second thoughts."""
