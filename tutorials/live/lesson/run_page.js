// The page: its button runs the lesson, prints what it prints, and shows the page that it wrote.

const part = (id) => document.getElementById(id);
const form = part("options"), output = part("output"), status = part("status"), problem = part("problem");
const curves = new Curves(part("curve"));
const transcript = output.textContent;
let run = null, clock = 0, began = 0;

function say(text) {
  status.textContent = text;
}

function secondsSince(time) {
  return `${((performance.now() - time) / 1000).toFixed(1)} s`;
}

function showProblem(text) {
  problem.textContent += text;
  problem.hidden = problem.textContent === "";
}

// What stands at the bottom is followed, unless the reader has scrolled up.
function print(text) {
  const follows = output.scrollHeight - output.scrollTop - output.clientHeight < 40;
  output.append(text);
  if (follows) output.scrollTop = output.scrollHeight;
}

function isRunning(running) {
  part("run").disabled = running;
  part("stop").disabled = !running;
  clearInterval(clock);
  if (running) clock = setInterval(() => say(`Running, ${secondsSince(began)}`), 500);
}

function ended(text) {
  isRunning(false);
  part("question").hidden = true;
  say(`${text} You can run it again.`);
}

function showPage(html) {
  if (html === "") return;
  const frame = part("page");
  frame.addEventListener("load", () => {
    const resize = () => {
      const root = frame.contentDocument && frame.contentDocument.documentElement;
      if (root) frame.style.height = `${Math.ceil(root.getBoundingClientRect().height) + 4}px`;
    };
    resize();
    if (frame.contentDocument) new ResizeObserver(resize).observe(frame.contentDocument.documentElement);
  }, { once: true });
  frame.srcdoc = html;
  part("pictures").hidden = false;
}

function claimsIn(text) {
  return (text.match(/^  checked: /gm) || []).length;
}

// With --short it prints the beginning of the transcript, and says that it ends.
function howAShortRunEnded(time) {
  const printed = output.textContent;
  const end = printed.lastIndexOf("Here the short run ends");
  return end >= 0 && transcript.startsWith(printed.slice(0, end))
    ? `Ended ${time}: it checked ${claimsIn(printed)} of ${claimsIn(transcript)} claims. Up to there every byte is that of the kept transcript.`
    : `Ended ${time}, but what it printed is not the beginning of the kept transcript.`;
}

// How a run ended, in words. Without options it prints what the terminal does, and the page knows.
function howItEnded(code, args) {
  const time = `after ${secondsSince(began)}`;
  if (code === 2) return `The program refused: its words are below. (${time})`;
  if (code !== 0) return `Ended ${time}: a claim was found false (exit code ${code}).`;
  if (args.join() === "--short") return howAShortRunEnded(time);
  if (args.length > 0) return `Ended ${time}.`;
  return output.textContent === transcript
    ? `Ended ${time}. Every byte is that of the kept transcript.`
    : `Ended ${time}, but what it printed is not the kept transcript.`;
}

function howItFailed(text) {
  const memory = /memory|allocat/i.test(text);
  return memory ? `It needs more memory than this page can have (${text}).`
    : /call stack/i.test(text) ? `Its stack is full (${text}).` : `It failed: ${text}.`;
}

// With --predict the lesson asks; the page that it could write asks by itself, so there is none.
async function start() {
  const task = await taskOf(form);
  const asked = [...task.args];
  task.args.push("--color", "never");
  if (!asked.includes("--predict")) task.args.push("--html", "/page.html");
  else if (form.dataset.trains) task.args.push("--resume", "/kept");
  begin(task, asked);
}

// `asked`: the arguments that are the reader's.
function begin(task, asked) {
  if (run) run.stop();
  output.textContent = problem.textContent = "";
  showProblem("");
  curves.clear();
  part("pictures").hidden = part("question").hidden = true;
  part("what").textContent = "What it prints here";
  began = performance.now();
  isRunning(true);
  say("Running");
  run = new Run(task, {
    text: print,
    error: ({ text }) => showProblem(text),
    progress: (step) => curves.add(step),
    question: ask,
    end: ({ code, page }) => {
      ended(howItEnded(code, asked));
      showPage(page);
    },
    fault: ({ text }) => {
      showProblem(howItFailed(text));
      ended("It could not go on.");
    },
  });
}

function ask() {
  isRunning(false);
  part("stop").disabled = false;
  part("question").hidden = false;
  say("The lesson asks: answer below its text.");
  part("answer").value = "";
  part("answer").focus();
}

function answer(event) {
  event.preventDefault();
  const text = part("answer").value;
  print(`> ${text}\n`);
  part("question").hidden = true;
  isRunning(true);
  run.answer(text);
}

function stop() {
  if (run) run.stop();
  ended(`Stopped after ${secondsSince(began)}.`);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
part("stop").addEventListener("click", stop);
part("question").addEventListener("submit", answer);
form.querySelectorAll(".file").forEach(setUpFileField);
part("live").hidden = false;
