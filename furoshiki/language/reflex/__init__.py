"""The built-in mind: a chatbot of rules, without a model; pure."""
