"""Rules for model calls, on plain values: budget, circuit breaker, parsing of answers."""
