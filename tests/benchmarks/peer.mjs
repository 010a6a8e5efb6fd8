// What the peers that run under Node share, as peer.py has it for Python: the questions they answer
// (serve.h) and their inputs.
import {execFileSync} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";
import {createInterface} from "node:readline";
import {fileURLToPath} from "node:url";

// The same 32 bits as in heed_works.cpp.
function mixed(i, seed) {
  let h = (Math.imul(i, 2654435761) + Math.imul(seed, 40503)) >>> 0;
  h = (h ^ (h >>> 16)) >>> 0;
  h = Math.imul(h, 73244475) >>> 0;
  return (h ^ (h >>> 16)) >>> 0;
}

export function noiseIds(count, seed, below) {
  return Array.from({length: count}, (_, i) => mixed(i, seed) % below);
}

// The peers write large files for the library that is measured.
export function writtenBy(python, script, ...words) {
  execFileSync(python, [fileURLToPath(new URL(script, import.meta.url)), ...words], {stdio: "ignore"});
}

function norm(numbers) {
  let sum = 0;
  for (const x of numbers) sum += Number(x) * Number(x);
  return Math.sqrt(sum);
}

// `count` entries, evenly spaced.
function sample(numbers, count) {
  const chosen = Math.min(count, numbers.length);
  return Array.from({length: chosen}, (_, i) =>
    Number(numbers[Math.floor((i * numbers.length) / chosen)]));
}

async function turn(run, seconds) {
  if (seconds > 0) await run();
  const start = process.hrtime.bigint();
  for (let calls = 1; ; ++calls) {
    await run();
    const passed = Number(process.hrtime.bigint() - start) / 1e9;
    if (passed >= seconds) return `time ${passed} ${calls}`;
  }
}

function bytes(name) {
  return parseInt(readFileSync("/proc/self/status", "utf8").split(name)[1]) * 1024;
}

async function memory(run, times) {
  const before = bytes("VmRSS:");
  writeFileSync("/proc/self/clear_refs", "5");
  for (let i = 0; i < times; ++i) await run();
  return `memory ${before} ${bytes("VmHWM:")}`;
}

// prepare(threads, words) gives a function that does the work once and gives its result, an array
// of numbers; drop() frees what it needed.
export async function serve(prepare, drop) {
  let run = null;
  const answerTo = async ([word, ...rest]) => {
    if (word === "prepare") {
      run = await prepare(Number(rest[0]), rest.slice(1));
      return "ok";
    }
    if (word === "check") return `ok ${norm(await run())}`;
    if (word === "sample") return `ok ${sample(await run(), Number(rest[0])).join(" ")}`;
    if (word === "turn") return turn(run, Number(rest[0]));
    if (word === "memory") return memory(run, Number(rest[0]));
    run = null;
    await drop();
    return "ok";
  };
  for await (const question of createInterface({input: process.stdin})) {
    let answer;
    try {
      answer = await answerTo(question.split(" "));
    } catch (error) {
      answer = `no ${String(error.message).split("\n")[0]}`;
    }
    process.stdout.write(answer + "\n");
  }
  process.exit(0);
}
