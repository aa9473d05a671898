/* Search: the order of its results, and no excerpts in a folder without a server.
 *
 * The order has Sphinx's own weights, with three changes.
 *
 * A heading that says what was typed comes first, and so leads to its section: long pages would
 * win by their many words. Then comes the chapter of a paper that was named, as in "LQ'21 Table 4":
 * its title begins with the paper's short name and a colon. Then the two pages of short answers
 * gain over pages that are as good.
 * An excerpt is cut from the page it stands in. Browsers forbid pages of a folder (file:) to read
 * one another, and complain of every attempt.
 */
if (window.location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

const lettersAndDigits = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
const typed = lettersAndDigits(new URLSearchParams(window.location.search).get("q") ?? "");
const namesPaper = (title) => {
  const [name, question] = title.replace(/^<span[^>]*>[\d. ]*<\/span>/, "").split(": "); // behind the number
  return question !== undefined && typed.includes(lettersAndDigits(name));
};

var Scorer = {
  score: ([docname, title, anchor, descr, score]) =>
    score +
    (anchor && descr === null ? 200 : 0) +
    (namesPaper(title) ? 100 : 0) +
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
