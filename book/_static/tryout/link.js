// A table of the box as the fragment of a link. Only "Copy a link" makes one, because a link stays
// in histories; nothing is compressed, so that a click can copy it at once.
(() => {
  "use strict";
  const MOST = 8000; // letters: some mail programs and chats cut longer links
  const START = "#table=";
  const KEPT = ["text", "header", "gold", "people", "order", "pooled"];
  const pick = (table) => Object.fromEntries(KEPT.map((name) => [name, table[name]]));

  const write = (text, settings) => {
    const bytes = new TextEncoder().encode(JSON.stringify(pick({ ...settings, text: text.trimEnd() })));
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const fragment = START + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    if (fragment.length > MOST)
      throw new RangeError(`The table is too long for a link, which may have ${MOST.toLocaleString("en")} letters and ` +
        `would have ${fragment.length.toLocaleString("en")}. Send it as a file.`);
    return fragment;
  };
  // The text and the settings, null if the fragment is no table, or a RangeError.
  const read = (fragment) => {
    if (!fragment.startsWith(START)) return null;
    try {
      const binary = atob(fragment.slice(START.length).replaceAll("-", "+").replaceAll("_", "/"));
      const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
      return pick(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
    } catch {
      throw new RangeError("The link is damaged: copy it again, whole.");
    }
  };

  window.ordbookLink = Object.freeze({ write, read });
})();
