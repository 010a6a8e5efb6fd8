// One run of the lesson's program, in a worker that can be ended at any time. A worker cannot wait
// for the reader, so at a question it ends; with the answer the program runs again, prints the same
// up to there, and goes on: `told` lines are left out.

// The program and its worker as one script, made once.
let scriptOfWorker = null;
function workerScript() {
  scriptOfWorker = scriptOfWorker || URL.createObjectURL(new Blob(
    ["program", "worker"].map((id) => document.getElementById(id).textContent + "\n"),
    { type: "text/javascript" }));
  return scriptOfWorker;
}

class Run {
  // `task`: { args, folders, files }. `on`: functions text, error, progress, question, end, fault.
  constructor(task, on) {
    this.task = { folders: [], files: [], ...task, answers: [], kept: "/kept" };
    this.on = on;
    this.told = 0;
    this.start();
  }

  start() {
    let line = 0;
    const worker = this.worker = new Worker(workerScript());
    worker.onerror = (event) => {
      event.preventDefault();
      this.finish("fault", { text: event.message || "the worker did not start" });
    };
    worker.onmessage = ({ data }) => {
      if (this.worker !== worker) return;
      if (data.kind === "text") {
        if (++line > this.told) this.on.text(data.text);
      } else if (data.kind === "question") {
        this.told = line;
        this.task.files = [...this.task.files.filter((f) => !f.path.startsWith("/kept/")), ...data.kept];
        this.finish("question", data);
      } else if (data.kind === "end" || data.kind === "fault") {
        this.finish(data.kind, data);
      } else {
        this.on[data.kind](data);
      }
    };
    this.worker.postMessage(this.task);
  }

  finish(kind, data) {
    this.stop();
    this.on[kind](data);
  }

  answer(text) {
    this.task.answers.push(text);
    this.start();
  }

  stop() {
    if (this.worker) this.worker.terminate();
    this.worker = null;
  }
}
