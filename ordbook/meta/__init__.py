"""Meta-evaluation: from score matrices to statements about the measures."""
