// With ?selftest in the address the page checks itself, and reports as TAP.

function selftest(page) {
  const lines = [];
  const report = (ok, what) => lines.push(`${ok ? "ok" : "not ok"} ${lines.length + 1} - ${what}`);
  try {
    for (const check of [checkExamples, checkFields, checkSizes, checkMask, checkErrors, checkPaste,
                         checkLinks]) {
      page.showExample(examples[0]);
      check(page, report);
    }
    report(document.documentElement.scrollWidth <= innerWidth, "the page is not wider than the window");
    report(performance.getEntriesByType("resource").length === 0, "nothing was fetched");
  } catch (error) {
    report(false, String(error.stack));
  }
  document.body.append(element("pre", {id: "tap"}, [...lines, `1..${lines.length}`].join("\n")));
}

const cellsOf = (page, name) => [...page.find(`[data-table="${name}"]`).querySelectorAll("td[title]")];
const shownIn = (page, name) => cellsOf(page, name).map((cell) => cell.textContent);
const problemOf = (page) => page.find("#problem").textContent;
const says = (page, words) => problemOf(page).startsWith(words);
const field = (page, name) => page.find(`[data-place="${name}"]`);

function type(input, text) {
  input.value = text;
  input.dispatchEvent(new Event("input", {bubbles: true}));
}

function choose(select, value) {
  select.value = value;
  select.dispatchEvent(new Event("change", {bubbles: true}));
}

function press(node, key) {
  node.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
}

const maskCell = (page, i, j) => page.find(`.cell[data-row="${i}"][data-column="${j}"]`);
const point = (node, kind) => node.dispatchEvent(new PointerEvent(kind, {bubbles: true}));

// Every number of the page is one that heed answered to the state in the address.
function agrees(page) {
  const answer = page.answerOf(location.hash.slice(1));
  if (!answer.tables || problemOf(page)) return false;
  const code = page.find("#program").textContent, printed = page.find("#printed").textContent;
  return answer.program === code && answer.printed === printed
    && answer.tables.every((table) => {
      const cells = cellsOf(page, table.name);
      return cells.length === table.numbers.length && cells.every((cell, at) =>
        cell.title === "masked" || (cell.title === String(table.numbers[at])
                                    && cell.textContent === table.shown[at].replaceAll("-", "−")));
    });
}

function checkExamples(page, report) {
  const buttons = [...page.find(".examples").querySelectorAll("button")];
  report(buttons.length === 4, "there are four examples");
  for (const button of buttons) {
    button.click();
    report(agrees(page), `the example "${button.textContent}" shows what heed computes`);
    report(page.find("#about").textContent !== "", "and says what to look at");
  }
  const numbers = (name) => page.answerOf(page.text).tables.find((table) => table.name === name).numbers;
  page.showExample(examples[0]);
  report(shownIn(page, "weights").join(" ") === "1.0000 · · 0.4684 0.5316 · 0.3263 0.3235 0.3501",
         "the note's example has the weights of lesson 08");
  page.showExample(examples[1]);
  const largest = (name) => Math.max(...numbers(name).map(Math.abs)).toFixed(4);
  report(Math.min(...[0, 4, 8].map((at) => numbers("weights")[at])) > 0.999 && largest("∂L/∂Q") === "0.0014",
         "saturated: one weight a row, and no gradient");
  page.find("#scale").click();
  report(largest("∂L/∂Q") === "0.0990", "saturated: √d_k brings the gradient back");
  page.showExample(examples[2]);
  const leak = () => [...numbers("∂L/∂K").slice(4), ...numbers("∂L/∂V").slice(4)];
  report(leak().some((number) => number !== 0), "leaking: the gradient shows it");
  paint(page, 0, 2);
  report(leak().every((number) => number === 0), "leaking: without the hole it is exactly 0");
  page.showExample(examples[3]);
  report(numbers("weights")[11] > 0.97 && numbers("weights")[0] > 0.97,
         "the query that finds nothing rests on the last key");
}

function checkFields(page, report) {
  type(field(page, "V[2, 4]"), "-0.21");
  report(agrees(page) && page.text.endsWith("mask=100;110;111") && page.text.includes(",-0.21&mask"),
         "a number typed is computed with");
  page.find("#scale").click();
  report(agrees(page) && page.text.endsWith("scale=0")
         && page.find("#program").textContent.includes("DotScore score;  // q·k\n"),
         "√d_k can be switched off");
  type(field(page, "the temperature"), "0.5");
  report(agrees(page) && page.text.includes("temperature=0.5"), "the temperature is computed with");
  type(field(page, "the temperature"), "0");
  report(agrees(page) && page.find("#remark").textContent.includes("hard lookup"),
         "temperature 0 is a hard lookup, and the page says so");
  page.find("#choose-G").click();
  type(field(page, "G[1, 1]"), "3");
  report(agrees(page) && page.find("#program").textContent.includes("{1, 3, 1, 1, 1}"),
         "another upstream gradient can be chosen");
  page.find("#choose-G").click();
  report(agrees(page) && !field(page, "G[1, 1]"), "and dropped");
  const cell = field(page, "Q[0, 2]");
  cell.focus();
  press(cell, "ArrowDown");
  report(document.activeElement === field(page, "Q[1, 2]"), "down goes to the row below");
  press(document.activeElement, "ArrowUp");
  report(document.activeElement === cell, "and up back");
}

function checkSizes(page, report) {
  let all = true, split = true;
  for (let n = 1; n <= 8; ++n) {
    for (const id of ["T_q", "T_k", "d_k", "d_v"]) choose(page.find(`#${id}`), n);
    const entries = page.root.querySelectorAll("td.entry input").length;
    all = all && agrees(page) && entries === 3 * n * n && page.state.mask.length === n;
    for (const heads of [1, 2, 4]) {
      choose(page.find("#heads"), heads);
      if (n % heads === 0) split = split && agrees(page);
      else split = split && says(page,
        `split_heads: x has shape [${n}, ${n}]; it must be [..., T, h·d] with h = ${heads}`);
    }
    choose(page.find("#heads"), 1);
  }
  report(all, "all sizes from 1 x 1 to 8 x 8");
  report(split, "1, 2 and 4 heads, and heed's words where they do not divide");
  choose(page.find("#T_q"), 2);
  choose(page.find("#T_k"), 5);
  choose(page.find("#d_v"), 3);
  report(agrees(page) && page.state.mask.length === 2 && page.state.mask[0].length === 5,
         "unequal sizes, and the mask follows");
}

function paint(page, i, j) {
  point(maskCell(page, i, j), "pointerdown");
  point(window, "pointerup");
}

function checkMask(page, report) {
  const cell = (i, j) => maskCell(page, i, j);
  paint(page, 0, 1);
  report(agrees(page) && page.text.endsWith("mask=110;110;111"), "a click allows a key");
  report(cell(0, 1).getAttribute("aria-pressed") === "true", "and the cell says so");
  point(cell(1, 1), "pointerdown");
  point(cell(1, 0), "pointerover");
  point(window, "pointerup");
  point(cell(2, 0), "pointerover");
  report(agrees(page) && page.text.endsWith("mask=110;000;111"), "a drag paints, until it ends");
  report(page.find("#remark").textContent
         === "Query 1 may attend to nothing: weights, output and gradient are 0, where PyTorch gives NaN.",
         "a query that may attend to nothing is told of");
  page.find("#mask-none").click();
  report(agrees(page) && !page.text.includes("mask"), "the button none");
  page.find("#mask-causal").click();
  report(agrees(page) && page.text.endsWith("mask=100;110;111"), "the button causal");
  cell(0, 0).focus();
  press(document.activeElement, "ArrowRight");
  press(document.activeElement, "ArrowRight");
  press(document.activeElement, "ArrowDown");
  report(document.activeElement === cell(1, 2) && cell(1, 2).tabIndex === 0 && cell(0, 0).tabIndex === -1,
         "arrow keys walk over the mask");
  document.activeElement.click();  // what the browser makes of space and Enter
  report(agrees(page) && page.text.endsWith("mask=100;111;111") && document.activeElement === cell(1, 2),
         "and space paints");
}

function checkErrors(page, report) {
  const number = "it must be a number such as 2, -0.5 or 1e-3, and at most 3.4028e38, which is the largest "
    + "float";
  const before = shownIn(page, "output").join();
  for (const bad of ["abc", "", "inf", "1e39", "1,5", "<b>&amp;"]) {
    type(field(page, "K[1, 3]"), bad);
    report(problemOf(page) === `playground: K[1, 3] is "${bad}"; ${number}`, `"${bad}" gets heed's words`);
    const typed = field(page, "K[1, 3]");
    report(typed.value === bad && typed.getAttribute("aria-invalid") === "true"
           && shownIn(page, "output").join() === before
           && page.find(".results").classList.contains("stale"),
           "nothing is lost, the field is marked, the results are marked as old");
  }
  type(field(page, "K[1, 3]"), "0.0898");
  report(agrees(page) && !page.find(".results").classList.contains("stale")
         && !page.root.querySelector('[aria-invalid="true"]'), "mended, it computes");
  type(field(page, "the temperature"), "-1");
  report(says(page, "attend: temperature is -1; it must be positive and finite, or 0 for a hard lookup\n"
                    + "  at program.cpp:"),
         "heed's own error names the line of the program beside it");
  const line = Number(problemOf(page).match(/program.cpp:(\d+)/)[1]);
  report(page.find("#program").textContent.split("\n")[line - 1].includes("attend("),
         "and it is that line");
  type(field(page, "the temperature"), "1");
  choose(page.find("#heads"), 2);
  report(says(page, "split_heads: x has shape [3, 5]; it must be [..., T, h·d] with h = 2 heads"),
         "heads that do not divide");
  choose(page.find("#heads"), 1);
  type(field(page, "Q[0, 0]"), "3e38");
  type(field(page, "K[0, 0]"), "3e38");
  report(agrees(page) && page.find("#remark").textContent.includes("larger than a float"),
         "infinite scores are told of");
}

function paste(page, name, text) {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  const event = new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true});
  field(page, `${name}[0, 0]`).dispatchEvent(event);
}

function checkPaste(page, report) {
  paste(page, "Q", "tensor([[1, 2],\n        [3, 4]])");
  report(page.text.startsWith("Q=1,2;3,4&")
         && says(page, "ScaledDotScore: Q has shape [2, 2] and K [3, 5]"),
         "a matrix can be pasted, and heed says what no longer fits");
  paste(page, "K", "1\t0\n0\t1\n1\t1\n");
  report(agrees(page) && page.text.includes("K=1,0;0,1;1,1&") && page.state.mask.length === 2,
         "then the other one, from a spreadsheet");
  const text = page.text;
  paste(page, "V", "1 2\n".repeat(9));
  report(says(page, "playground: V has 9 rows and 2 columns; the playground takes 1 to 8 of each")
         && page.text === text,
         "one that is too large is refused, and nothing changes");
  paste(page, "V", "1 2\n3\n");
  report(says(page, "playground: row 1 of V has 1 entries, row 0 has 2")
         && page.text === text,
         "so are rows of unequal length");
}

function checkLinks(page, report) {
  const full = "Q=1,-2;0.5,1e-3&K=1,0;3,1;1,1&V=1,2;3,4;5,%3Cb%3E&mask=101;011&scale=0&temperature=0.5"
    + "&heads=2&G=1,0;0,2";
  report(textOf(stateOf(full)) === full, "a link is read and written again as it was");
  page.open(full);
  report(page.text === full && field(page, "V[2, 1]").value === "<b>"
         && problemOf(page).includes('V[2, 1] is "<b>"'),
         "a link brings all that was typed");
  page.open(full.replace("%3Cb%3E", "6"));
  report(agrees(page) && location.hash === "#" + page.text && page.find("#link").value === location.href,
         "and is the address");
  page.open(examples[2].state);
  report(agrees(page) && page.find("#about").textContent === examples[2].about, "a link to an example says so");
  page.open(full);
  const text = page.text;
  const brokenLinks = [["nonsense", 'the part "nonsense" of the link is not understood'],
                       ["Q=1&K=1", "the link has no V"], ["Q=%&K=1&V=1", "hexadecimal"],
                       ["Q=1,2;3&K=1&V=1", "row 1 of Q has 1 entries"]];
  for (const [broken, words] of brokenLinks) {
    page.open(broken);
    const told = says(page, "The link is broken, so nothing was changed.\nplayground: ")
      && problemOf(page).includes(words);
    report(told && page.text === text && page.state.heads === "2", `a broken link: ${words}`);
  }
}
