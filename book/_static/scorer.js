/* Search: the order of its results, and no excerpts in a folder without a server.
 *
 * The order has Sphinx's own weights, with two changes.
 *
 * A heading that says what was typed comes first, and so leads to its section: long pages would
 * win by their many words. Then the two pages of short answers gain over pages that are as good.
 * An excerpt is cut from the page it stands in. Browsers forbid pages of a folder (file:) to read
 * one another, and complain of every attempt.
 */
if (window.location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

var Scorer = {
  score: ([docname, title, anchor, descr, score]) =>
    score +
    (anchor && descr === null ? 200 : 0) +
    (["book/questions", "book/choosing"].includes(docname) ? 10 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
