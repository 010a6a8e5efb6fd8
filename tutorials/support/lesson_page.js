// A lesson's page: its questions answer, and it can test itself (#selftest=1).
"use strict";
(() => {
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const WORDS = { inf: Infinity, "-inf": -Infinity, "+inf": Infinity };

  // undefined: not a number.
  function numberIn(text) {
    if (NUMBER.test(text)) return Number(text);
    return WORDS[text.toLowerCase()];
  }

  // "2, 3", "2 3", "2x3" or "[2, 3]" as lengths; undefined: not a shape.
  function lengthsIn(text) {
    const brackets = /^\[(.*)\]$/.exec(text);
    const inside = brackets ? brackets[1] : text;
    const parts = inside.split(/[\s,x×]+/).filter((part) => part !== "");
    if (parts.length === 0 && !brackets) return undefined;
    return parts.every((part) => /^\d+$/.test(part)) ? parts.map(Number) : undefined;
  }

  // true, false, or undefined for what is not an answer.
  function isRight(question, answer) {
    if (question.kind === "number") {
      const number = numberIn(answer);
      if (number === undefined) return undefined;
      if (typeof question.value === "string") return number === WORDS[question.value];
      const rounding = 1e-6 * (question.tolerance + Math.abs(question.value));
      return Math.abs(number - question.value) <= question.tolerance + rounding;
    }
    if (question.kind === "shape") {
      const lengths = lengthsIn(answer);
      return lengths && lengths.join() === question.lengths.join();
    }
    let found;
    question.choices.forEach((choice, i) => {
      if (choice.toLowerCase() === answer.toLowerCase()) found = found || question.right[i];
    });
    return found;
  }

  function setUp(form) {
    const question = JSON.parse(form.querySelector("script").textContent);
    const verdict = form.querySelector(".verdict");
    const why = form.querySelector(".why");
    const say = (text, kind) => {
      verdict.textContent = text;
      verdict.className = "verdict " + kind;
      why.hidden = kind === "";
    };
    const field = () =>
      form.querySelector("input:checked") || form.querySelector("input:not([type])");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const input = field();
      const answer = input ? input.value.trim() : "";
      if (answer === "") return say("Give an answer first, or let it be told.", "");
      const right = isRight(question, answer);
      if (right === undefined) return say(`“${answer}” ${question.refusal}`, "");
      say(right ? `Right: ${question.truth}.` : `No, the answer is ${question.truth}.`,
          right ? "right" : "wrong");
    });
    form.querySelector(".tell").addEventListener("click", () => {
      say(`The answer is ${question.truth}.`, "told");
    });
    return { question, verdict, why, form };
  }

  const questions = [...document.querySelectorAll("form.question")].map(setUp);

  // A link into folded text opens it.
  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target) target.scrollIntoView();
  }
  window.addEventListener("hashchange", openTarget);
  if (location.hash.length > 1 && !location.hash.includes("=")) openTarget();

  // Where it cannot scroll, a table is no stop of the Tab key.
  for (const box of document.querySelectorAll(".scroll, .long, pre")) {
    if (box.closest("details")) continue;
    if (box.scrollWidth <= box.clientWidth) box.removeAttribute("tabindex");
  }

  if (!/(^|[#&])selftest=1/.test(location.hash)) return;
  const lines = [];
  const ok = (holds, name) => lines.push(`${holds ? "ok" : "not ok"} ${lines.length + 1} - ${name}`);

  function answer({ form, question }, text) {
    if (question.kind === "choice") {
      for (const radio of form.querySelectorAll("input")) radio.checked = radio.value === text;
    } else {
      form.querySelector("input").value = text;
    }
    form.requestSubmit();
  }
  for (const one of questions) {
    const { question, verdict, why } = one;
    const at = question.kind === "choice" ? question.right.indexOf(true) : 0;
    const wrongAt = question.kind === "choice" ? question.right.indexOf(false) : 0;
    const right = question.kind === "choice" ? question.choices[at]
      : question.kind === "shape" ? `[${question.lengths}]` : String(question.value);
    const wrong = question.kind === "choice" ? question.choices[wrongAt]
      : question.kind === "shape" ? "7, 7, 7, 7" : "-987654321";
    answer(one, right);
    ok(verdict.classList.contains("right") && !why.hidden, `the right answer is right: ${right}`);
    if (wrong !== undefined) {
      answer(one, wrong);
      ok(verdict.classList.contains("wrong"), `a wrong answer is wrong: ${wrong}`);
    }
    if (question.kind !== "choice") {
      answer(one, "many");
      ok(/ is not a /.test(verdict.textContent) && why.hidden, "a word is no answer");
    }
    one.form.querySelector(".tell").click();
    ok(verdict.textContent.includes(question.truth), "the answer can be told");
  }
  const broken = [...document.querySelectorAll('a[href^="#"]')]
    .filter((a) => !document.getElementById(a.getAttribute("href").slice(1)));
  ok(broken.length === 0, "each link into the page leads somewhere " + broken.map((a) => a.hash));
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  ok(new Set(ids).size === ids.length, "no id is given twice");
  const bare = [...document.querySelectorAll("figure.tensor")].filter((figure) =>
    !figure.querySelector("figcaption.unseen, figcaption .name")?.textContent.trim());
  ok(bare.length === 0, "each table of numbers has a name " + bare.map((figure) => figure.id));
  const heads = [...document.querySelectorAll("th")].filter((th) => !th.scope);
  ok(heads.length === 0, "each heading of a table says what it heads");
  const folded = [...document.querySelectorAll("details")];
  for (const details of folded) if (!details.open) details.querySelector("summary").click();
  ok(folded.every((d) => d.open && d.scrollHeight > d.querySelector("summary").offsetHeight),
     "what is folded opens: " + folded.length);
  const overlaps = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const hidden = [...document.querySelectorAll(".picture svg")].flatMap((svg) => {
    const labels = [...svg.querySelectorAll("text")];
    const boxes = labels.map((label) => label.getBoundingClientRect());
    return labels.filter((_, i) => boxes.some((box, j) => j < i && overlaps(box, boxes[i])));
  });
  ok(hidden.length === 0, "no label lies on another " + hidden.map((label) => label.textContent));
  const wide = [...document.querySelectorAll("body *")].filter((e) => !e.closest(".scroll, .long, pre, .formulas")
    && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
  ok(document.documentElement.scrollWidth <= window.innerWidth,
     "the page is not wider than the window " + wide.slice(0, 3).map((e) => e.outerHTML.slice(0, 80)));
  const levels = [...document.querySelectorAll("h1, h2, h3")].map((h) => Number(h.tagName[1]));
  ok(levels[0] === 1 && levels.every((l, i) => i === 0 || l <= levels[i - 1] + 1), "no level of headings is left out");
  ok(performance.getEntriesByType("resource").length === 0, "nothing was fetched");
  // Views of attention have tested themselves before.
  let tap = document.getElementById("tap");
  const before = tap ? tap.textContent.split("\n").filter((line) => !line.startsWith("1..")) : [];
  if (!tap) document.body.append((tap = document.createElement("pre")));
  tap.id = "tap";
  const all = [...before, ...lines].map((line, i) => line.replace(/^((not )?ok) \d+/, `$1 ${i + 1}`));
  tap.textContent = all.join("\n") + `\n1..${all.length}\n`;
})();
