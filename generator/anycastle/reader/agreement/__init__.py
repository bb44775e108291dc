"""What stands in two places and must agree; `checking` is its door, `codes` its vocabulary."""
