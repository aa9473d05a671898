"""Meta-evaluation: from score matrices to what they say about the measures.

Contents
--------
kendall      Kendall's tau with ties by tolerance, and its intervals
similarity   how similarly two measures rank the runs
"""
