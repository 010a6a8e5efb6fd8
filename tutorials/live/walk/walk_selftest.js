// Starts the player; with #selftest=1 in the address it checks itself and reports as TAP.

function checkPlayer(player, report) {
  const {record, moves} = player;
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  const here = () => player.code.querySelector(".here .number")?.textContent;
  press("Home");
  report(player.at === 0, "Home is the first step");
  report(here() === String(record.steps[0].line), "its line is marked");
  const forward = [0];
  for (let i = 0; i < record.steps.length; ++i) {
    press("n");
    if (player.at !== forward.at(-1)) forward.push(player.at);
  }
  report(player.at === moves.last, "n walks to the last step");
  report(String(forward) === String(moves.shown()), "through every step that is not folded");
  const backward = [player.at];
  while (player.at > 0 && backward.length <= record.steps.length) {
    press("b");
    backward.unshift(player.at);
  }
  report(String(backward) === String(forward), "b walks the same way back");
  checkSteps(player, report);
  checkLoops(player, report);
  record.chapters.forEach((chapter, i) => {
    player.chapters.children[i].click();
    report(player.at === chapter.step, `the chapter ${chapter.name} is one click away`);
  });
  const call = moves.steps.findIndex((_, i) => i > 0 && moves.depth(i) > moves.depth(i - 1));
  if (call > 0) {
    player.go(call);
    press("u");
    report(moves.depth(player.at) < moves.depth(call) || player.at === call, "u leaves a call");
    player.go(call - 1);
    press("o");
    report(moves.depth(player.at) <= moves.depth(call - 1), "o stays out of it");
    checkCaller(player, report, call);
  }
  player.go(moves.last);
  const line = player.code.querySelector(".visited");
  line?.click();
  report(!line || player.at !== moves.last, "a click on a line goes there");
  const why = Object.keys(record.reasons)[0];
  if (why) {
    player.go(record.steps.findLastIndex((step) => why in step.variables));
    const button = player.values.querySelector(".why");
    button.click();
    report(button.closest("figure").querySelector(".reason").textContent === record.reasons[why][0],
           "why is shown in place");
  }
  report(document.documentElement.scrollWidth <= innerWidth, "the page does not scroll sideways");
  report(performance.getEntriesByType("resource").length === 0, "nothing was fetched");
}

function checkCaller(player, report, call) {
  player.go(call);
  const {stack: [[name, , line]]} = player.record.steps[call];
  const button = [...player.stack.querySelectorAll("button")].findLast(({textContent}) => textContent === name);
  button.click();
  [...player.stack.querySelectorAll("button")].findLast(({textContent}) => textContent === name).click();
  report(player.code.querySelector(".here .number")?.textContent === String(line),
         "a click on the caller shows its line");
}

// Every step that is shown: its line is marked, and the numbers in its tables are those of the record.
function checkSteps(player, report) {
  let lines = true, numbers = true, marks = true;
  for (const i of player.moves.shown()) {
    player.go(i);
    const step = player.record.steps[i];
    lines = lines && player.code.querySelector(".here .number")?.textContent === String(step.line);
    marks = marks && player.values.querySelectorAll(".new").length === step.changed.length;
    for (const figure of player.values.querySelectorAll("figure")) {
      const value = player.valueOf(step, figure.querySelector(".name").textContent);
      const cells = [...figure.querySelectorAll("td")].map((cell) => cell.dataset.number);
      numbers = numbers && cells.every((cell, at) => cell === String(value.numbers[at]));
    }
  }
  report(lines, "every step marks its line");
  report(numbers, "the tables have the numbers of the record");
  report(marks, "and what is new is marked");
}

function checkLoops(player, report) {
  const {moves} = player;
  moves.loops.forEach((loop, which) => {
    player.go(loop.rounds[0]);
    const folded = moves.shown().length;
    const button = player.code.querySelector(".here .fold");
    report(button?.textContent === roundsOf(moves.loopsAt(moves.steps[loop.rounds[0]].file,
      moves.steps[loop.rounds[0]].line)[0]), `loop ${which} says how often it runs`);
    document.dispatchEvent(new KeyboardEvent("keydown", {key: "f", bubbles: true}));
    report(moves.shown().length > folded, `f unfolds loop ${which}`);
    document.dispatchEvent(new KeyboardEvent("keydown", {key: "f", bubbles: true}));
    report(moves.shown().length === folded, `and folds it again`);
  });
}

const isSelftest = location.hash === "#selftest=1";
const began = performance.now();
const player = new Player(JSON.parse(document.getElementById("record").textContent),
                          document.getElementById("walk"));
document.documentElement.dataset.ready = Math.round(performance.now() - began);
if (isSelftest) {
  const lines = [];
  const report = (ok, what) => lines.push(`${ok ? "ok" : "not ok"} ${lines.length + 1} - ${what}`);
  try {
    checkPlayer(player, report);
  } catch (error) {
    report(false, String(error.stack));
  }
  document.body.append(element("pre", {id: "tap"}, [...lines, `1..${lines.length}`].join("\n")));
}
