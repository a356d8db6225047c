"""Skills: what the companion can do by itself. One module each; `registry` offers them to a model."""
