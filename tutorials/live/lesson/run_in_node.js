// Runs a lesson's WebAssembly as its page does, but in node: what it prints goes to the same streams.
// Run as: node run_in_node.js PROGRAM.js [--answers "1|q"] ARGUMENT...
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [program, ...given] = process.argv.slice(2);
const answers = given[0] === "--answers" ? given.splice(0, 2)[1].split("|") : [];

global.lesson = require(path.resolve(program));
vm.runInThisContext(fs.readFileSync(path.join(__dirname, "worker.js"), "utf8"));

// Files that exist here and are named in an argument exist there, too.
const files = given.filter((name) => fs.existsSync(name) && fs.statSync(name).isFile())
  .map((name, i) => ({ name, path: `/given/${i}-${path.basename(name)}`, bytes: fs.readFileSync(name) }));
const args = given.map((word) => (files.find(({ name }) => name === word) || { path: word }).path);

const send = (message) => {
  if (message.kind === "text") fs.writeSync(1, message.text);
  if (message.kind === "error" || message.kind === "fault") fs.writeSync(2, message.text);
  if (message.kind === "fault") process.exitCode = 3;
  if (message.kind === "end") process.exitCode = message.code;
};
runProgram({ args, folders: ["/given", "/kept"], files, answers, kept: "/kept" }, send);
