"""Choice of models: available models, resulting settings, trial calls, and costs."""
