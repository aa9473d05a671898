"""One Node.js process, in which tests call functions of the pages' scripts."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STATIC = Path(__file__).resolve().parents[2] / "book" / "_static"
# A line asks for the value of a function after some scripts, and a line answers; scripts are run
# once. `require` is for the functions of tests.
SERVER = """
globalThis.window = globalThis;
globalThis.require = require;
const done = new Set();
const answer = async (line) => {
  const { scripts, body, data } = JSON.parse(line);
  for (const script of scripts) if (!done.has(script)) (0, eval)(script);
  scripts.forEach((script) => done.add(script));
  return await (0, eval)(`(${body})`)(data);
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => answer(line)
  .then((value) => ({ value }), (error) => ({ error: String(error.stack) }))
  .then((reply) => console.log(JSON.stringify(reply))));
"""


@contextmanager
def running(node: str) -> Iterator[Callable[..., Any]]:
    """Start Node.js, and give the call `(scripts, function, data=None)` -> what it returns."""
    with subprocess.Popen(
        [node, "-e", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:

        def call(scripts: list[str], function: str, data: object = None) -> Any:
            texts = [(STATIC / name).read_text(encoding="utf-8") for name in scripts]
            request = {"scripts": texts, "body": function, "data": data}
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            reply = json.loads(process.stdout.readline())
            assert "error" not in reply, reply["error"]
            return reply.get("value")

        yield call
        process.stdin.close()
