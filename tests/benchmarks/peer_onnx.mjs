// A GPT's forward pass in ONNX Runtime: peer_onnx.mjs plain|fused FOLDER PYTHON, where FOLDER has
// node_modules, and PYTHON has numpy.
import {createRequire} from "node:module";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {noiseIds, serve, writtenBy} from "./peer.mjs";

const [style, folder, python] = process.argv.slice(2);
const shapes = {tiny: [65, 16, 2], S: [65, 64, 12], M: [65, 256, 16], L: [50257, 64, 4]};
let session = null;

function runtime() {
  try {
    return createRequire(folder + "/")("onnxruntime-node");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(`npm's package onnxruntime-node is not in ${folder}`);
  }
}

async function sessionFor(library, name, threads) {
  const scratch = mkdtempSync(join(tmpdir(), "heed-benchmark-"));
  try {
    const file = join(scratch, "gpt.onnx");
    writtenBy(python, "onnx_gpt.py", name, style, file);
    return await library.InferenceSession.create(
      file, {intraOpNumThreads: threads, interOpNumThreads: 1, graphOptimizationLevel: "all"});
  } finally {
    rmSync(scratch, {recursive: true});
  }
}

async function prepare(threads, [kind, name]) {
  if (kind !== "forward") throw new Error("no such work");
  const library = runtime();
  const [vocabulary, T, B] = shapes[name];
  session = await sessionFor(library, name, threads);
  const ids = BigInt64Array.from(noiseIds(B * T, 1, vocabulary), BigInt);
  const feed = {ids: new library.Tensor("int64", ids, [B, T])};
  const [output] = session.outputNames;
  return async () => (await session.run(feed))[output].data;
}

async function drop() {
  if (session) await session.release();
  session = null;
}

serve(prepare, drop);
