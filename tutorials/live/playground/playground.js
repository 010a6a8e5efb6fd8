// Starts the page: from the address, or with the note's example; then every change goes to heed, and
// what it answers is shown.

class Playground {
  constructor(answerOf) {
    this.answerOf = answerOf;  // a state's text -> what heed says of it (answer.h)
    this.root = document.getElementById("playground");
    this.find = (selector) => this.root.querySelector(selector);
    this.find(".examples").append("Show me ", ...examples.map((example) =>
      element("button", {type: "button", onclick: () => this.showExample(example)}, example.name)));
    this.find("#copy-program").onclick = (event) => this.copy(event, this.find("#program").textContent);
    this.find("#copy-link").onclick = (event) => this.copy(event, this.find("#link").value);
    this.find("#link").onfocus = (event) => event.target.select();
    addEventListener("hashchange", () => this.open(location.hash.slice(1)));
    this.root.hidden = false;
    this.showExample(examples[0], false);
    if (location.hash.length > 1) this.open(location.hash.slice(1));
  }

  showExample(example, keep = true) {
    this.take(stateOf(example.state), keep);
    this.find("#about").textContent = example.about;
  }

  // From a link. What is broken changes nothing.
  open(text) {
    if (text === this.text) return;
    const answer = this.answerOf(text);
    if (answer.broken) return this.say(`The link is broken, so nothing was changed.\n${answer.broken}`);
    this.take(stateOf(text));
    const example = examples.find((one) => one.state === text);
    this.find("#about").textContent = example ? example.about : "The numbers of the link.";
  }

  // A new state: all fields are drawn again.
  take(state, keep = true) {
    this.state = state;
    this.drawSettings();
    this.drawMatrices();
    this.compute(keep);
  }

  // Sizes and matrices that were pasted. `change` alters a copy, which heed may call broken.
  attempt(change) {
    const state = stateOf(this.text);
    change(state);
    fit(state);
    const answer = this.answerOf(textOf(state));
    if (answer.broken) return this.say(answer.broken);
    this.take(state);
  }

  keepInAddress() {
    try {
      history.replaceState(null, "", "#" + this.text);
    } catch {
      // Safari refuses more than 100 in half a minute; the field of the link has it all the same.
    }
  }

  say(problem) {
    this.find("#problem").textContent = problem;
  }

  compute(keep = true) {
    this.text = textOf(this.state);
    if (keep) this.keepInAddress();
    this.find("#link").value = location.href.replace(/#.*/s, "") + "#" + this.text;
    const answer = this.answerOf(this.text);
    this.say(answer.broken ?? answer.error ?? "");
    this.markField(answer.error ?? "");
    const results = this.find(".results");
    results.classList.toggle("stale", !answer.tables);
    this.find("#program").classList.toggle("stale", !answer.program);
    if (answer.program) this.find("#program").textContent = answer.program;
    this.find("#remark").textContent = answer.tables ? remarkOn(answer, this.state)
      : "Below are still the results of the numbers before.";
    if (!answer.tables) return;
    this.find("#printed").textContent = answer.printed;
    results.replaceChildren(...answer.tables.map((table) => figureOf(table, this.state)));
  }

  // The field that heed's error names.
  markField(error) {
    for (const field of this.root.querySelectorAll("[data-place]")) {
      field.setAttribute("aria-invalid", String(error.includes(`: ${field.dataset.place} is `)));
    }
  }

  drawSettings() {
    const {state} = this;
    const size = (label, id, value, resize) => sizeField(label, id, value, (text) =>
      this.attempt((changed) => resize(changed, Number(text))));
    const rows = (names) => (changed, n) => names.forEach((name) => {
      changed[name] = resized(changed[name], n, columnsOf(changed[name]), "0");
    });
    const columns = (names) => (changed, n) => names.forEach((name) => {
      changed[name] = resized(changed[name], rowsOf(changed[name]), n, "0");
    });
    this.find(".settings").replaceChildren(
      size("queries T_q", "T_q", rowsOf(state.Q), rows(["Q"])),
      size("keys T_k", "T_k", rowsOf(state.K), rows(["K", "V"])),
      size("d_k", "d_k", columnsOf(state.K), columns(["Q", "K"])),
      size("d_v", "d_v", columnsOf(state.V), columns(["V"])),
      sizeField("heads", "heads", state.heads, (text) => { state.heads = text; this.compute(); }),
      element("label", {}, ["temperature", element("input", {
        id: "temperature", value: state.temperature, "data-place": "the temperature", autocomplete: "off",
        oninput: (event) => { state.temperature = event.target.value; this.compute(); }})]),
      switchField("divide by √d_k", "scale", state.scale, (on) => { state.scale = on; this.compute(); }));
  }

  drawMatrices() {
    const {state} = this;
    const field = (name, about, labels) => matrixField(name, about, state[name], labels, (i, j, text) => {
      state[name][i][j] = text;
      this.compute();
    }, (rows) => this.attempt((changed) => { changed[name] = rows; }));
    const drawn = [field("Q", "a row for each query", ["q", "d"]), field("K", "a row for each key", ["k", "d"]),
                   field("V", "the value of each key", ["k", "d"]), this.maskFigure()];
    const choose = (on) => this.attempt((changed) => {
      changed.G = on ? resized([], rowsOf(changed.Q), columnsOf(changed.V), "1") : null;
    });
    const ones = switchField("another upstream gradient than all ones", "choose-G", Boolean(state.G), choose);
    drawn.push(element("div", {}, [ones, ...(state.G ? [field("G", "∂L/∂output", ["q", "d"])] : [])]));
    this.find(".matrices").replaceChildren(...drawn);
  }

  maskFigure() {
    const {state} = this;
    const T_q = rowsOf(state.Q), T_k = rowsOf(state.K);
    const mask = state.mask ?? resized([], T_q, T_k, true);
    const painter = new MaskField(mask, () => { state.mask = mask; this.compute(); });
    const tool = (name, rows) => element("button", {type: "button", id: `mask-${name}`, onclick: () =>
      this.attempt((changed) => { changed.mask = rows; })}, name);
    return element("figure", {"data-matrix": "mask"}, [
      element("figcaption", {}, [element("span", {class: "name"}, "mask"), " ",
                                 element("small", {}, "× may attend; click or drag")]),
      element("div", {class: "tools"}, [tool("none", null), tool("causal", causal(T_q, T_k))]),
      element("div", {class: "scroll"}, painter.table),
    ]);
  }

  async copy(event, text) {
    const said = event.target.parentElement.querySelector("[role=status]");
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "The browser does not let this page copy: select the text instead.";
    }
  }
}

async function start() {
  const heed = await loadHeed();
  const answerOf = (text) => JSON.parse(heed.ccall("playground_answer", "string", ["string"], [text]));
  const playground = new Playground(answerOf);
  if (location.search === "?selftest") selftest(playground);
}

start().catch((error) => {
  document.getElementById("starting").textContent = `heed could not start in this browser: ${error}`;
});
