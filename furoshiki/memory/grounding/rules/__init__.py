"""Judged without a model: what breaks a rule of form is refused, what is doubted is only unconfirmed."""
