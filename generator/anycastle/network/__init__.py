"""The centre: what the network is, and pure questions about it. No I/O."""
