"""Acting in steps: the loop of plan and action, long tasks, what has the attention, and second thoughts."""
