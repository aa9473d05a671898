// A table of the box as the fragment of a link. Only "Copy a link" makes one, because a link stays
// in histories; nothing is compressed, so that a click can copy it at once.
//
// Contents
// --------
// write   text and settings -> fragment
// read    fragment -> text and settings, or null; RangeError for what is damaged
(() => {
  "use strict";
  const MOST = 8000; // letters: some mail programs and chats cut longer links
  const START = "#table=";

  const write = (text, { header, gold, people, order, pooled }) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ text: text.trimEnd(), header, gold, people, order, pooled }));
    const letters = Math.ceil((bytes.length * 4) / 3) + START.length;
    if (letters > MOST)
      throw new RangeError(`The table is too long for a link, which may have ${MOST.toLocaleString("en")} letters and ` +
        `would have ${letters.toLocaleString("en")}. Send it as a file.`);
    const base64 = btoa(String.fromCodePoint(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
    return START + base64.replace(/=+$/, "");
  };

  const isText = (x) => typeof x === "string";
  const areTexts = (x) => Array.isArray(x) && x.every(isText);
  const KINDS = {
    text: isText,
    header: (x) => x === null || typeof x === "boolean",
    gold: (x) => x === null || isText(x),
    people: areTexts,
    order: (x) => x === null || areTexts(x),
    pooled: (x) => typeof x === "boolean",
  };
  const read = (fragment) => {
    if (!fragment.startsWith(START)) return null;
    try {
      const binary = atob(fragment.slice(START.length).replaceAll("-", "+").replaceAll("_", "/"));
      const bytes = Uint8Array.from(binary, (letter) => letter.codePointAt(0));
      const table = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      const names = Object.keys(KINDS);
      if (names.every((name) => KINDS[name](table[name])))
        return Object.fromEntries(names.map((name) => [name, table[name]]));
    } catch { /* said below */ }
    throw new RangeError("The link is damaged: copy it again, whole.");
  };

  window.ordbookLink = Object.freeze({ write, read });
})();
