"""Acting in steps: the plan-and-act loop, long tasks, attention, and second thoughts."""
