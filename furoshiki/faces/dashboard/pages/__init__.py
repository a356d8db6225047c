"""The pages, a module each: what one sees, and the forms that change something."""
