"""Judgements about models, with plain values alone: budget, circuit breaker, repair of JSON."""
