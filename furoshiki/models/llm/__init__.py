"""Language models: providers, the gateway for all tiers, budget, typed answers, costs."""
