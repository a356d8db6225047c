"""How anything gets out: proxies, certificates, and what people paste beside a key."""
