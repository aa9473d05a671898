"""A list of runs that the reader of a chapter ranks by one measure after another.

The script in ``book/_static/ranks`` sorts the scores that stand in the page. Without JavaScript,
and in print, nothing is shown.
"""

from IPython.display import HTML

from ordbook.data.scores import ScoreMatrix
from ordbook.pages.templates import render


def ranked_list(scores: ScoreMatrix, run: str, name: str, start: str) -> HTML:
    """Return a list of runs with a button for each measure, as a cell of a page shows it.

    Parameters
    ----------
    scores
        Runs are ranked by their means over the topics.
    run
        The run that is highlighted.
    name
        Its name in the list.
    start
        The measure by which the runs are ranked at first.

    Raises
    ------
    ValueError
        If `scores` has no such run or measure.

    Examples
    --------
    >>> import ordbook as ob
    >>> scores = ob.score(ob.load("sem16t4c"), ["kappa", "MAE_mu"])
    >>> page = ranked_list(scores, "_baseline-majority-0", "always neutral", "kappa")
    >>> "always neutral" in page._repr_html_()
    True
    """
    for kind, label, known in (("run", run, scores.runs), ("measure", start, scores.measures)):
        if label not in known:
            raise ValueError(f"{scores.task} has no {kind} {label!r}; take one of {list(known)}")
    means = scores.means().rename(index={run: name})
    data = {
        "runs": [{"name": label, "scores": row.to_dict()} for label, row in means.iterrows()],
        "better": dict(scores.better),
        "highlighted": name,
        "start": start,
    }
    return HTML(render("ranks.html.j2", data=data, measures=scores.measures))
