"""The built-in mind: a rule-based chatbot without a model; pure."""
