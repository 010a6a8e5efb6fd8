// Prompts and tokens in llama.cpp: peer_llama.mjs FOLDER PYTHON, where FOLDER has node_modules, and
// PYTHON has numpy.
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {noiseIds, serve, writtenBy} from "./peer.mjs";

const [folder, python] = process.argv.slice(2);
const vocabularies = {tiny: 300, "162M": 50257};
const read_before = 16;  // tokens that a text has when its next ones are timed
let model = null;

async function library() {
  const entry = join(folder, "node_modules/node-llama-cpp/dist/index.js");
  try {
    return await import(pathToFileURL(entry));
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(`npm's package node-llama-cpp is not in ${folder}`);
  }
}

async function load(name, threads) {
  const {getLlama, LlamaLogLevel} = await library();
  const llama = await getLlama({gpu: false, build: "never", skipDownload: true,
                                maxThreads: threads, logLevel: LlamaLogLevel.error});
  const scratch = mkdtempSync(join(tmpdir(), "heed-benchmark-"));
  try {
    const file = join(scratch, "llama.gguf");
    writtenBy(python, "gguf_llama.py", name, file);
    return await llama.loadModel({modelPath: file, useMmap: false});
  } finally {
    rmSync(scratch, {recursive: true});
  }
}

async function firstTokens(sequence, ids, count) {
  const said = [];
  if (count === 0) return said;
  for await (const token of sequence.evaluate(ids, {temperature: 0, yieldEogToken: true})) {
    said.push(token);
    if (said.length === count) break;
  }
  return said;
}

async function prepare(threads, [kind, name, count]) {
  if (!["llama_prompt", "llama_tokens"].includes(kind)) throw new Error("no such work");
  model = await load(name, threads);
  const contextSize = name === "tiny" ? 64 : 1024;
  const context = await model.createContext({contextSize, batchSize: 512, threads});
  const sequence = context.getSequence();
  if (kind === "llama_prompt") {
    const prompt = noiseIds(Number(count), 1, vocabularies[name]);
    return async () => {
      await sequence.clearHistory();
      return firstTokens(sequence, prompt, 1);
    };
  }
  const prompt = noiseIds(read_before, 1, vocabularies[name]);
  await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(0, -1));
  return async () => {
    const said = {start: read_before - 1, end: sequence.nextTokenIndex};
    await sequence.eraseContextTokenRanges([said]);
    return firstTokens(sequence, prompt.slice(-1), Number(count));
  };
}

async function drop() {
  if (model) await model.dispose();
  model = null;
}

serve(prepare, drop);
