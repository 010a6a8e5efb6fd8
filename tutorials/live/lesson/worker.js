// Runs in a worker, after the program's own script: the program once, with the arguments, files and
// answers that the page sends. Sends back what is printed, a line as soon as it is complete.

const PROGRESS = /^step +(\d+)\/(\d+) +loss +(\S+)/;

// Calls `line` with each complete line of bytes, decoded; `ends` are the bytes that end one.
function lineReader(ends, line) {
  const decoder = new TextDecoder();
  let bytes = [];
  const flush = () => {
    if (bytes.length > 0) line(decoder.decode(new Uint8Array(bytes)));
    bytes = [];
  };
  return {
    put(byte) {
      bytes.push(byte);
      if (ends.includes(byte)) flush();
    },
    flush,
  };
}

// A line of the error stream is a message, or says how far a training is.
function sendError(line, send) {
  const progress = PROGRESS.exec(line.trim());
  if (progress) {
    const [step, steps, loss] = progress.slice(1).map(Number);
    send({ kind: "progress", step, steps, loss });
  } else if (line.trim() !== "") {
    send({ kind: "error", text: line.replace(/\r/g, "") });
  }
}

// The bytes of a program's standard input: the answers, a line each. One reading takes one line, and
// ends with null. Where the answers end the page is told, and the program meets the end of its input.
function inputOf(answers, atEnd) {
  const bytes = new TextEncoder().encode(answers.map((answer) => answer + "\n").join(""));
  let next = 0, lineIsRead = false;
  return () => {
    if (next === bytes.length && !lineIsRead) atEnd();
    if (next === bytes.length || lineIsRead) {
      lineIsRead = false;
      return null;
    }
    lineIsRead = bytes[next] === 10;
    return bytes[next++];
  };
}

function filesIn(FS, folder) {
  if (!FS.analyzePath(folder).exists) return [];
  return FS.readdir(folder).filter((name) => !/^\.\.?$/.test(name))
    .map((name) => ({ path: `${folder}/${name}`, bytes: FS.readFile(`${folder}/${name}`) }));
}

// A program that ends throws its status; what else is thrown is a fault, such as a stack that
// overflows.
function statusOf(call) {
  try {
    return call();
  } catch (thrown) {
    if (thrown && thrown.name === "ExitStatus") return thrown.status;
    throw thrown;
  }
}

// `folders` are made, then `files` written; what is in `kept`, a folder, goes back to the page.
async function runProgram({ args, folders, files, answers, kept }, send) {
  const out = lineReader([10], (text) => send({ kind: "text", text }));
  const errors = lineReader([10, 13], (line) => sendError(line, send));
  let module = null;
  const ask = () => {
    out.flush();
    send({ kind: "question", kept: filesIn(module.FS, kept) });
  };
  module = await lesson({ stdin: inputOf(answers, ask), quit: (_, thrown) => { throw thrown; } });
  const { FS } = module;
  for (const folder of folders) FS.mkdir(folder);
  for (const { path, bytes } of files) FS.writeFile(path, bytes);
  FS.streams[1].tty.ops = { put_char: (_, byte) => out.put(byte), flush() {} };
  FS.streams[2].tty.ops = { put_char: (_, byte) => errors.put(byte), flush() {} };
  try {
    const code = statusOf(() => module.callMain(args));
    out.flush();
    errors.flush();
    const page = FS.analyzePath("/page.html").exists ? FS.readFile("/page.html", { encoding: "utf8" }) : "";
    send({ kind: "end", code, page });
  } catch (thrown) {
    out.flush();
    errors.flush();
    send({ kind: "fault", text: String(thrown && thrown.message || thrown) });
  }
}

if (typeof WorkerGlobalScope !== "undefined") {
  onmessage = ({ data }) => runProgram(data, (message) => postMessage(message))
    .catch((thrown) => postMessage({ kind: "fault", text: String(thrown) }));
}
