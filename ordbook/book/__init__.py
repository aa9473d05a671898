"""The book's side of the package: parameters, tables and figures, reruns, the build.

Contents
--------
Packages
    pages       the built web book: extensions of Sphinx, its first page, the explorer
    printing    the book as PDF and as EPUB
    course      exercises, the student version, slides
    sweep       chapters x data sets x parameters

What every chapter calls
    parameters, chapter_run, places   parameters checked, data loaded; what is idle; comparisons
    show, tabs, admonitions, gathered, abreast, escape   tables, sentences, boxes
    extremes    who has the least and the greatest value
    own         measures of the reader's own
    simulated, simulated_labels   twins of runs that are not at hand, and the word SIMULATED

What some chapters show
    pictures, artificial     what each measure sees; artificial distributions
    curves, draws            how steadily measures tell runs apart; seeds
    deltas, delta_sets, two_runs, contradicting   runs topic by topic, and contradictions
    listed, overview, breakdown_scores, eight_sets   tables of single papers
    audits, scoreboard, doubts   what became of every printed number
    findings, finding_rules      findings of the papers on other data

Which measure to use
    criteria, grades, advice, doubtful, which_measure
    same_measures   measures that are one and the same on some scores

Rerunning chapters
    chapters, choosing      what can be run, and with what
    executing, engine       runs chapters and kernels
    rerun, edition, edition_extension, idle   ``ordbook rerun``: an edition of them
    first_page, first_notebook   its first page

Results of a shared task
    results, resultpages, resulttables, grouping   ``ordbook score``

Files and programs
    outfolder, workshop     folders that appear whole; temporary ones
    chromium                the browser that prints
"""
