// A table of the box as a zip file that ordbook.load reads. Nothing is compressed.
(() => {
  "use strict";
  const LONGEST = 60; // letters, of at most four bytes each: a name of a file has at most 255

  // Names that every system takes for files, no two the same but for capitals.
  const fileNames = (runs) => {
    const taken = new Set();
    return runs.map((run) => {
      const safe = run.normalize("NFC").replace(/[\p{C}\p{Z}]+/gu, " ").replace(/["*/:<>?\\|]/g, "_").trim();
      const cut = [...safe].slice(0, LONGEST).join("").replace(/^[.~]+/, "_").replace(/[. ]+$/, "");
      let name = cut;
      for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${cut} ${n}`;
      taken.add(name.toLowerCase());
      return name;
    });
  };

  const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const csv = (rows) => rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");
  // `table` is what ordbookTable.read returns.
  const files = ({ answers, classes, shares, topics, topicOf, gold, runs }) => {
    const head = shares ? ["topic", ...classes] : [...(topicOf ? ["topic"] : []), "item", "label"];
    const rowOf = (answer, k) => {
      if (shares) return [topics[k], ...answer.map(String)];
      return [...(topicOf ? [topics[topicOf[k]]] : []), String(k + 1), classes[answer]];
    };
    const names = fileNames(runs);
    const answersOf = (name) => csv([head, ...Array.from(answers.get(name), rowOf)]);
    return new Map([
      ["gold.csv", answersOf(gold)],
      ["classes.txt", csv(classes.map((name) => [name]))],
      ...runs.map((name, k) => [`runs/${names[k]}.csv`, answersOf(name)]),
    ]);
  };

  const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    return crc;
  });
  const checksum = (data) => {
    let crc = -1;
    for (const byte of data) crc = (crc >>> 8) ^ CRC[(crc ^ byte) & 255];
    return ~crc >>> 0;
  };
  const pack = (...fields) => {
    const view = new DataView(new ArrayBuffer(fields.reduce((size, [bytes]) => size + bytes, 0)));
    let at = 0;
    for (const [bytes, value] of fields) {
      view[bytes === 2 ? "setUint16" : "setUint32"](at, value, true);
      at += bytes;
    }
    return view;
  };
  // Each file stands behind a header, which the directory at the end repeats. All have the first
  // date there is, so that the same table is the same zip.
  const zip = (entries) => {
    const [body, directory] = [[], []];
    const length = (parts) => parts.reduce((size, part) => size + part.byteLength, 0);
    for (const [path, text] of entries) {
      const [name, data] = [path, text].map((part) => new TextEncoder().encode(part));
      const header = pack([2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, checksum(data)],
        [4, data.length], [4, data.length], [2, name.length], [2, 0]);
      const start = length(body);
      body.push(pack([4, 0x04034b50]), header, name, data);
      directory.push(pack([4, 0x02014b50], [2, 20]), header,
        pack([2, 0], [2, 0], [2, 0], [4, 0], [4, start]), name);
    }
    const end = pack([4, 0x06054b50], [2, 0], [2, 0], [2, entries.size], [2, entries.size],
      [4, length(directory)], [4, length(body)], [2, 0]);
    return new Blob([...body, ...directory, end], { type: "application/zip" });
  };

  window.ordbookZip = Object.freeze({ fileNames, files, zip });
})();
