// With #selftest=1 the page runs the lesson, tries what can go wrong, and appends what it found as
// TAP; with #selftest=run it only runs the lesson as it is.

const TAP = [];

function ok(holds, name) {
  TAP.push(`${holds ? "ok" : "not ok"} ${TAP.length + 1} - ${name.trim().replace(/\s+/g, " ")}`);
}

function until(holds) {
  return new Promise((resolve) => {
    const look = () => (holds() ? resolve() : setTimeout(look, 20));
    look();
  });
}

const isIdle = () => !part("run").disabled;
const field = (option) => form.querySelector(`[data-option="${option}"]`);

// Runs the lesson with these fields filled, until it ends or asks; then they are empty again.
async function runWith(values) {
  for (const [option, value] of Object.entries(values)) {
    if (value === true) field(option).checked = true;
    else if (value instanceof DataTransfer) field(option).files = value.files;
    else field(option).value = value;
  }
  form.requestSubmit();
  await until(() => !isIdle());
  form.reset();
  await until(isIdle);
}

async function runsAsKept() {
  await runWith({});
  ok(output.textContent === transcript, "it prints the kept transcript, byte for byte");
  ok(/kept transcript\. You can/.test(status.textContent), "and says so: " + status.textContent);
  ok(problem.hidden, "no problem is shown " + problem.textContent);
  const shown = () => part("page").contentDocument;
  await until(() => shown()?.readyState === "complete" && shown().querySelector("h1"));
  const page = shown();
  ok(page.querySelectorAll("section").length > 1, "the page that the run wrote is shown");
  ok(page.documentElement.scrollWidth <= part("page").clientWidth + 1, "and fits");
}

async function endsShort() {
  await runWith({ "--short": true });
  const said = /^Ended after [0-9.]+ s: it checked \d+ of \d+ claims\. Up to there every byte is/;
  ok(said.test(status.textContent), "a short run says what it checked: " + status.textContent);
  ok(output.textContent.length < transcript.length, "and ends before the end");
}

async function refuses() {
  await runWith({ "--seed": "minus" });
  ok(/--seed takes a whole number.*"minus"/.test(problem.textContent), "a bad seed meets the program's words");
  ok(output.textContent === "" && part("pictures").hidden, "and nothing else is shown");
}

async function stops() {
  form.requestSubmit();
  await until(() => !isIdle());
  part("stop").click();
  ok(isIdle() && /^Stopped after .* run it again/.test(status.textContent), "it stops");
  const printed = output.textContent;
  await new Promise((resolve) => setTimeout(resolve, 200));
  ok(output.textContent === printed, "and is silent then");
}

async function asks() {
  await runWith({ "--predict": true });
  ok(!part("question").hidden && /\n\? |^\? /.test(output.textContent), "with --predict it asks");
  ok(document.activeElement === part("answer"), "the answer has the focus");
  const before = output.textContent;
  await answerWith("");
  ok(output.textContent.startsWith(`${before}> \n  The answer is `), "Enter alone: it tells, and goes on: " + output.textContent.slice(before.length));
  await answerWith("q");
  ok(/\nleft before the end\n\nyou predicted 0 of 1\n$/.test(output.textContent), "q leaves the lesson");
}

async function answerWith(text) {
  part("answer").value = text;
  part("question").requestSubmit();
  await until(isIdle);
}

async function readsFiles() {
  for (const input of form.querySelectorAll('input[type="file"]:not([multiple])')) {
    const given = new DataTransfer();
    given.items.add(new File([new Uint8Array([104, 0, 105])], "mine.txt"));
    const option = input.dataset.option;
    const words = field("words") && option !== "--file" ? { words: "apple fruit" } : {};
    await runWith({ [option]: given, ...words });
    ok(/mine\.txt/.test(problem.textContent), `a bad file is refused by its name: ${problem.textContent}`);
  }
}

async function readsWords() {
  if (!field("words")) return;
  await runWith({ words: "fruit  flies like a banana" });
  ok(/flies/.test(output.textContent) && output.textContent !== transcript, "words of the reader's own");
  await runWith({ words: "--nonsense" });
  ok(/there is no option "--nonsense"/.test(problem.textContent), "a word may not begin with --");
}

async function survivesFaults() {
  begin({ args: [], folders: [], files: [{ path: "/no/such/folder", bytes: new Uint8Array(1) }] }, []);
  await until(isIdle);
  ok(/^It failed: .+/.test(problem.textContent), "a fault is told: " + problem.textContent);
  ok(/more memory/.test(howItFailed("Cannot enlarge memory")), "a lack of memory is told as that");
}

function looksRight() {
  ok(document.documentElement.scrollWidth <= window.innerWidth, "the page is not wider than the window");
  const bare = [...document.querySelectorAll("input, iframe")].filter((e) =>
    !(e.labels && e.labels.length > 0) && !e.title);
  ok(bare.length === 0, "each field has a label " + bare.map((e) => e.id));
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  ok(new Set(ids).size === ids.length, "no id is given twice");
  ok(performance.getEntriesByType("resource").every((e) => /^(blob|data):/.test(e.name)), "nothing was fetched");
}

async function selftest(all) {
  if (field("--short")) await endsShort();
  await runsAsKept();
  looksRight();
  if (all) for (const test of [refuses, stops, asks, readsFiles, readsWords, survivesFaults]) await test();
  const tap = document.createElement("pre");
  tap.id = "tap";
  tap.textContent = TAP.join("\n") + `\n1..${TAP.length}\n`;
  document.body.append(tap);
}

const asked = /(^|[#&])selftest=(1|run)/.exec(location.hash);
if (asked) selftest(asked[2] === "1").catch((error) => {
  document.body.insertAdjacentHTML("beforeend", '<pre id="tap"></pre>');
  part("tap").textContent = `not ok 1 - the test itself: ${error.stack}\n1..1\n`;
});
