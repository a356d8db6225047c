"""Language models and voices, and what a home may use of them."""
