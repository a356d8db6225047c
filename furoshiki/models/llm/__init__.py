"""Language models: providers, the gateway over the tiers, budget, typed answers, costs."""
