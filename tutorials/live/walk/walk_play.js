// Plays the record: one step at a time is shown, and keys, buttons, the slider, and lines choose it.

class Player {
  constructor(record, place) {
    this.record = record;
    this.moves = new Moves(record);
    this.visited = new Set(record.steps.map(({file, line}) => `${file}:${line}`));
    this.at = 0;
    this.caller = null;  // how deep the call is that is looked at, if it is not the innermost
    this.build(place);
    this.go(this.fromAddress());
    addEventListener("hashchange", () => this.go(this.fromAddress()));
    document.addEventListener("keydown", (event) => this.onKey(event));
  }
  fromAddress() {
    const wanted = Number(/step=(\d+)/.exec(location.hash)?.[1] ?? 0);
    return Math.min(wanted, this.moves.last);
  }

  build(place) {
    const button = (label, key, what, to) => element("button",
      {type: "button", title: `${what} (key ${key})`, "aria-keyshortcuts": key, onclick: () => this.go(to())}, label);
    this.slider = element("input", {type: "range", min: 0, max: this.moves.last, step: 1, "aria-label": "step",
                                    oninput: () => this.go(this.moves.nearest(Number(this.slider.value)))});
    this.where = element("p", {class: "where", role: "status", "aria-live": "polite"});
    this.bar = element("div", {class: "bar", role: "toolbar", "aria-label": "moves"},
      button("◀ back", "b", "one step back", () => this.moves.back(this.at)),
      button("into ▶", "n", "one step on, into calls", () => this.moves.into(this.at)),
      button("over", "o", "on to the next step that is not inside a call", () => this.moves.over(this.at)),
      button("out", "u", "on to the caller", () => this.moves.out(this.at)),
      this.slider);
    this.chapters = element("nav", {class: "chapters", "aria-label": "chapters"},
      ...this.record.chapters.map(({name, step}) =>
        element("button", {type: "button", onclick: () => this.go(this.unfoldedAt(step))}, name)));
    this.stack = element("ol", {class: "calls", "aria-label": "calls, the innermost last"});
    this.code = element("div", {class: "code", role: "region", "aria-label": "source", tabindex: 0});
    this.values = element("section", {class: "values", "aria-label": "variables in scope"});
    place.append(this.chapters, this.bar, this.where, element("div", {class: "sides"},
      element("div", {class: "left"}, this.stack, this.code), this.values),
      element("p", {class: "keys"}, "Keys: n or → into, b or ← back, o over, u out, f folds and " +
        "unfolds a loop, Home and End. A click on a numbered line goes to the next time there."));
  }

  // A step in a folded round is shown by unfolding.
  unfoldedAt(step) {
    for (const loop of this.moves.loops) {
      if (loop.rounds[1] <= step && step < loop.rounds.at(-1)) loop.folded = false;
    }
    return step;
  }
  go(step) {
    this.at = this.unfoldedAt(step);
    this.caller = null;
    this.show();
    clearTimeout(this.later);  // browsers count changes of the address
    this.later = setTimeout(() => history.replaceState(null, "", `#step=${this.at}`), 300);
  }
  look(depth) {
    this.caller = depth === this.moves.depth(this.at) ? null : depth;
    this.show();
  }
  fold(file, line) {
    const loops = this.moves.loopsAt(file, line), folded = !loops[0].folded;
    for (const loop of loops) loop.folded = folded;
    this.at = this.moves.nearest(this.at);
    this.show();
  }
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === this.slider) return;
    const to = {n: "into", ArrowRight: "into", b: "back", ArrowLeft: "back", o: "over", u: "out"}[event.key];
    if (to) this.go(this.moves[to](this.at));
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.moves.last);
    else if (event.key === "f") this.foldHere();
    else return;
    event.preventDefault();
  }
  foldHere() {
    const loop = this.moves.loopAround(this.at);
    if (!loop) return;
    const {file, line} = this.record.steps[loop.rounds[0]];
    this.fold(file, line);
  }

  show() {
    const step = this.record.steps[this.at];
    this.slider.value = this.at;
    const current = this.record.chapters.findLast((chapter) => chapter.step <= this.at);
    [...this.chapters.children].forEach((button, i) =>
      button.setAttribute("aria-current", String(this.record.chapters[i] === current)));
    this.where.textContent = this.summary(step);
    this.showCalls(step);
    this.showCode();
    this.showValues();
  }
  summary(step) {
    const loop = this.moves.loops.find(({folded, rounds}) => folded && rounds.at(-1) === this.at);
    const changed = step.changed.length ? ` New: ${step.changed.join(", ")}.` : "";
    const passed = loop ? ` ${roundsOf(loop)}: the first was shown.` : "";
    return `Step ${this.at + 1} of ${this.moves.last + 1}: ${step.function}, ${step.file}, line ` +
      `${step.line}.${passed}${changed}`;
  }
  // The step that is looked at, and the line in it: of a caller, the one that made the call.
  looked() {
    const step = this.record.steps[this.at];
    if (this.caller === null) return {step: this.at, file: step.file, line: step.line};
    const [, file, line] = step.stack[step.stack.length - 1 - this.caller];
    return {step: this.moves.ofCaller(this.at, this.caller, this.calledAt(step, this.caller)), file, line};
  }
  calledAt(step, depth) {
    return depth === step.stack.length ? step.function : step.stack[step.stack.length - 1 - depth][0];
  }
  showCalls(step) {
    const calls = [...step.stack].reverse().map(([name, file, line]) => ({name, file, line}));
    calls.push({name: step.function, file: step.file, line: step.line});
    const depth = this.caller ?? calls.length - 1;
    const isWalked = (i) => i === calls.length - 1 || this.moves.ofCaller(this.at, i, calls[i].name) >= 0;
    const lines = [];
    calls.forEach((call, i) => {
      if (isWalked(i) || i === depth) lines.push(this.callLine(call, i, i === depth));
      else if (i === 0 || isWalked(i - 1) || i - 1 === depth) lines.push(this.passedOver(calls, i, isWalked));
    });
    this.stack.replaceChildren(...lines);
  }
  callLine({name, file, line}, i, isLooked) {
    return element("li", {}, element("button", {type: "button", "aria-current": String(isLooked),
                                                onclick: () => this.look(i)}, name),
                   element("span", {class: "shape"}, ` ${file}:${line}`));
  }
  // Calls in a row in which the walk never stood.
  passedOver(calls, first, isWalked) {
    let count = 0;
    while (first + count < calls.length && !isWalked(first + count)) ++count;
    const open = element("button", {type: "button", class: "passed", onclick: () => {
      item.replaceWith(...calls.slice(first, first + count).map((call, i) => this.callLine(call, first + i, false)));
    }}, count === 1 ? calls[first].name : `${count} calls`);
    const item = element("li", {}, open);
    return item;
  }
  showCode() {
    const {file, line} = this.looked();
    this.code.replaceChildren(...codeOf(this.record, this.moves, file, line, this.visited,
      (number) => this.go(this.moves.atLine(this.at, file, number)), (...loop) => this.fold(...loop)));
    const here = this.code.querySelector(".here");
    if (here) this.code.scrollTop = here.offsetTop - this.code.clientHeight / 2;
  }

  // What the variable was when this call was seen last.
  before(index, name) {
    const {function: called, file, stack} = this.record.steps[index];
    const earlier = this.record.steps.findLast((step, i) => i < index && step.function === called &&
      step.file === file && step.stack.length === stack.length);
    return earlier?.variables[name];
  }
  showValues() {
    const {step: index} = this.looked();
    const step = this.record.steps[index];
    if (!step) {
      this.values.replaceChildren(element("p", {class: "shape"}, "This call was not walked through."));
      return;
    }
    const names = Object.keys(step.variables);  // what is new comes first, then what was made last
    const first = names.reverse().sort((a, b) => step.changed.includes(b) - step.changed.includes(a));
    const short = first.filter((name) => !this.valueOf(step, name).numbers);
    const long = first.filter((name) => this.valueOf(step, name).numbers);
    this.values.replaceChildren(...(short.length ? [this.lines(step, short)] : []),
                                ...long.map((name, i) => this.figure(step, index, name, long.slice(0, i))));
    if (!names.length) this.values.append(element("p", {class: "shape"}, "No variable is made yet."));
  }
  valueOf(step, name) { return this.record.values[step.variables[name]]; }
  lines(step, names) {
    return element("ul", {class: "texts"}, ...names.map((name) => {
      const isNew = step.changed.includes(name);
      return element("li", {class: isNew ? "new" : ""}, this.valueOf(step, name).line);
    }));
  }
  // The variable above with the same numbers, such as query for key and value.
  twinOf(step, name, shown) {
    const numbers = (of) => JSON.stringify([this.valueOf(step, of).shape, this.valueOf(step, of).numbers]);
    return shown.find((above) => numbers(above) === numbers(name));
  }
  figure(step, index, name, shown) {
    const value = this.valueOf(step, name), isNew = step.changed.includes(name);
    const earlier = isNew ? this.record.values[this.before(index, name)] : null;
    const about = value.line.startsWith(name) ? value.line.slice(name.length) : ` ${value.line}`;
    const said = element("pre", {class: "reason", role: "status", hidden: true});
    const why = this.record.reasons[name];
    const reason = why && ((at, shown) => element("button",
      {type: "button", class: "why", title: `why ${name}`, onclick: () => {
        said.textContent = why[at];
        said.hidden = false;
      }}, shown));
    const twin = reason ? undefined : this.twinOf(step, name, shown);
    const inside = twin ? [element("p", {class: "twin"}, `the numbers of ${twin}`)]
      : gridsOf(value, name, earlier?.numbers ? earlier : null, reason);
    return element("figure", {class: isNew ? "new" : ""},
      element("figcaption", {}, element("span", {class: "name"}, name),
              element("span", {class: "shape"}, about), isNew ? element("span", {class: "badge"}, "new") : ""),
      ...inside, said);
  }
}
