/* Search: the order of its results, and no excerpts in a folder without a server.
 *
 * The order has Sphinx's own weights, but a heading that says what was typed comes first, and so
 * leads to its section: long pages would win by their many words. An excerpt is cut from the page it
 * stands in. Browsers forbid pages of a folder (file:) to read one another, and complain of every
 * attempt.
 */
if (window.location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

var Scorer = {
  score: ([docname, title, anchor, descr, score]) => score + (anchor && descr === null ? 200 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
