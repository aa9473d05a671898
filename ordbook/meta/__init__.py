"""Meta-evaluation: from score matrices to what they say about the measures.

Contents
--------
kendall         Kendall's tau with ties by tolerance, and its intervals
similarity      how similarly two measures rank the runs
consistency     how similarly one measure ranks the runs on two samples of topics
significance    which runs differ: randomised and parametric Tukey HSD, the two-system test
discrimination  how many differences a measure finds, and which measures find the same ones
agreement       how two measures agree on single topics
design          how many topics are needed
kernels         the compiled loops of consistency and significance
"""
