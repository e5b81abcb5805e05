"""A player that looks one order ahead, and one that does not look at all."""
