"""Meta-evaluation: from score matrices to what they say about the measures."""
