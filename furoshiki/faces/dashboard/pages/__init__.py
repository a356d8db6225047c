"""The pages, one module each: their content and their forms."""
