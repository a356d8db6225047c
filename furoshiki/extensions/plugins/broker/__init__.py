"""The broker of plugins: permitted requests beyond their own folder, over an inherited socket."""
