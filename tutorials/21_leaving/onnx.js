// Lesson 21.4: runs DIR/model.onnx in ONNX Runtime.
//     node onnx.js DIR MODULES        MODULES has node_modules/onnxruntime-node
// Reads the ids of DIR/texts.safetensors, and prints the logits of the first held-out text.
const fs = require('fs'), path = require('path');
const [folder, modules] = process.argv.slice(2);
const ort = require(path.resolve(modules, 'node_modules', 'onnxruntime-node'));

function idsOf(file, name) {
  const bytes = fs.readFileSync(file), length = Number(bytes.readBigUInt64LE(0));
  const entry = JSON.parse(bytes.toString('utf8', 8, 8 + length))[name];
  const T = entry.shape[1], begin = 8 + length + entry.data_offsets[0];
  const ids = new BigInt64Array(T);
  for (let t = 0; t < T; t++) ids[t] = BigInt(bytes.readFloatLE(begin + 4 * t));
  return new ort.Tensor('int64', ids, [1, T]);
}

(async () => {
  const session = await ort.InferenceSession.create(path.join(folder, 'model.onnx'));
  const ids = idsOf(path.join(folder, 'texts.safetensors'), 'held_out_inputs');
  const { logits } = await session.run({ ids });
  console.log(Array.from(logits.data).join('\n'));
})();
