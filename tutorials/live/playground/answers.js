// In node: answers states, one a line, as playground.cpp does natively.
// Run as: node answers.js playground.js
const {readFileSync} = require("fs"), {resolve} = require("path");

globalThis.fetch = undefined;  // what Emscripten 3.1 takes for a browser's
require(resolve(process.argv[2]))().then((heed) => {
  for (const state of readFileSync(0, "utf-8").split("\n").slice(0, -1)) {
    process.stdout.write(heed.ccall("playground_answer", "string", ["string"], [state]) + "\n");
  }
});
