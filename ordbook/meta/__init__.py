"""Meta-evaluation: from score matrices to what they say about the measures.

Contents
--------
kendall             Kendall's tau with ties by tolerance, and its intervals
similarity          how similarly two measures rank the runs
consistency         how similarly one measure ranks the runs on two samples of topics
significance        which runs differ: randomised and parametric Tukey HSD
significance_tests  what such a test found: p-values, effect sizes, Monte-Carlo errors
randomisation       whether two runs differ
standings           the runs ranked, which are better than which, which are the same
discrimination      how many differences a measure finds, and which measures find the same ones
deltas              how far apart two runs are on single topics, by two measures
agreement           how two measures agree on single topics
design              how many topics are needed
subsampling         what fewer topics would have shown
forecast            what more topics would show
variances           residual variances of score matrices
kernels             the compiled loops of consistency and significance
studentised         the tail of the studentised range, for many values at once
chunks              trials shared out among threads
checks              refusals of requests that make no sense
"""
