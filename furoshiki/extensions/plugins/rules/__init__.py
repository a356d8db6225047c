"""Pure rules for plugins: manifests, names, permissions, hosts, output."""
