// A view of recorded attention: all heads as small pictures, then one of them as lines, as a heat
// map, as the arithmetic of one query, or as the three matrices it goes through.

const svgNames = "http://www.w3.org/2000/svg";

function node(name, attributes = {}, ...children) {
  const made = name.startsWith("svg:") ? document.createElementNS(svgNames, name.slice(4))
                                       : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter(child => child !== null));
  return made;
}

const short = (text, most = 14) => {
  const letters = [...text];
  return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text;
};

class AttentionView {
  constructor(root) {
    this.root = root;
    Object.assign(this, JSON.parse(root.querySelector("script").textContent));
    this.state = {layer: 0, sequence: 0, heads: [0], view: this.records[0].shape[0] > 1 ? "lines" : "map",
                  query: null, key: null, threshold: 0, top: 0};
    this.hovered = this.hoveredKey = null;  // a query and a key that the pointer or the focus is on
    this.build();
    this.readFragment();
    addEventListener("hashchange", () => this.readFragment());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  get record() { return this.records[this.state.layer]; }
  get head() { return this.headOf(this.state.heads[this.state.heads.length - 1]); }
  headOf(number, layer = this.state.layer) {
    const record = this.records[layer];
    return new Head(this, layer, Math.min(this.state.sequence, record.sequences - 1) * record.heads + Math.min(number, record.heads - 1));
  }
  get query() { return this.state.query ?? this.hovered; }

  // State in the address: #layer=4&head=11&query=2, with the view's name before it where a page has
  // several: links, tests and the back button go through it.
  key(name) { return this.alone ? name : `${this.root.id}.${name}`; }
  readFragment() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const number = (name, below) => {
      const text = wanted.get(this.key(name));
      const value = Number(text);
      return text !== null && /^\d+$/.test(text) && value < below ? value : null;
    };
    const state = this.state;
    state.layer = number("layer", this.records.length) ?? state.layer;
    state.sequence = number("sequence", this.record.sequences) ?? Math.min(state.sequence, this.record.sequences - 1);
    const head = number("head", this.record.heads);
    state.heads = head !== null ? [head] : state.heads.filter(h => h < this.record.heads);
    if (state.heads.length === 0) state.heads = [0];
    state.query = number("query", this.record.shape[0]);
    state.key = number("key", this.record.shape[1]);
    const view = wanted.get(this.key("view"));
    if (view in this.tabs) state.view = view;
    this.draw();
  }
  go(changes) {
    Object.assign(this.state, changes);
    const to = new URLSearchParams(location.hash.slice(1));
    const put = (name, value) => value === null ? to.delete(this.key(name)) : to.set(this.key(name), value);
    put("layer", this.state.layer);
    put("head", this.state.heads[this.state.heads.length - 1]);
    if (this.record.sequences > 1) put("sequence", this.state.sequence);
    put("view", this.state.view);
    put("query", this.state.query);
    put("key", this.state.key);
    history.pushState(null, "", "#" + to);
    this.draw();
  }

  build() {
    this.tabs = {lines: "Lines", map: "Heat map", query: "One query", steps: "Step by step"};
    this.title = node("p", {class: "ha-title"});
    this.model = node("div", {class: "ha-model", role: "group", "aria-label": "All heads"});
    this.tabList = node("div", {class: "ha-tabs", role: "group", "aria-label": "Views"});
    this.tools = node("div", {class: "ha-tools"});
    this.panel = node("div", {class: "ha-panel"});
    this.line = node("p", {class: "ha-line", role: "status"});
    this.save = node("a", {class: "ha-save", href: "#", download: "attention.svg",
                           onclick: () => this.savePicture()}, "Save this picture");
    for (const [view, label] of Object.entries(this.tabs)) {
      this.tabList.append(node("button", {type: "button", "data-view": view, onclick: () => this.go({view})}, label));
    }
    this.buildTools();
    const count = this.records.reduce((sum, r) => sum + r.heads, 0);
    const left = this.left_out ? node("p", {class: "ha-left-out"}, this.left_out) : null;
    this.root.append(this.title, ...(count > 1 ? [this.model] : []), this.tabList, this.tools,
                     this.line, this.panel, node("p", {class: "ha-foot"}, this.save,
        " Rows are queries, columns are keys. Weights say where a head looked, not why the model " +
        "said what it said."), ...(left ? [left] : []));
    this.root.addEventListener("keydown", event => this.pressed(event));
    this.buildModel();
  }

  buildTools() {
    const range = node("input", {type: "range", min: 0, max: 1, step: 0.01, value: 0,
      "aria-label": "Show weights of at least", oninput: event => {
        this.state.threshold = Number(event.target.value);
        this.draw();
      }});
    const top = node("select", {"aria-label": "Keys shown of each query", onchange: event => {
      this.state.top = Number(event.target.value);
      this.draw();
    }}, ...[0, 1, 2, 3, 5].map(k => node("option", {value: k}, k === 0 ? "all keys" : `the ${k} largest`)));
    this.sequences = node("select", {"aria-label": "Sequence", onchange: event => this.go({sequence: Number(event.target.value), query: null, key: null})});
    this.shownThreshold = node("output");
    this.tools.append(this.sequences, node("label", {}, "at least ", range, " ", this.shownThreshold), top);
  }

  // One small picture for each head, in one scale; several heads may be chosen with Shift or Ctrl.
  buildModel() {
    this.thumbs = this.records.map((record, layer) => {
      const name = node("span", {class: "ha-layer"}, short(record.name, 22));
      const row = Array.from({length: record.heads}, (_, head) => node("button", {
        type: "button", class: "ha-thumb", "aria-label": `${record.name}, head ${head}`,
        title: `${record.name}, head ${head}`, onclick: event => this.choose(layer, head, event)},
        node("canvas", {width: 40, height: 40})));
      this.model.append(node("div", {class: "ha-row"}, name, node("div", {class: "ha-heads"}, ...row)));
      return row;
    });
  }
  choose(layer, head, event) {
    const several = (event.shiftKey || event.ctrlKey || event.metaKey) && layer === this.state.layer;
    const others = several ? this.state.heads.filter(h => h !== head) : [];
    this.go({layer, heads: [...others, head], ...(layer === this.state.layer ? {} : {query: null, key: null})});
  }
  drawThumbs() {
    const colors = Array.from({length: 256}, (_, k) => [...weightColor(k / 255).match(/\d+/g).map(Number), 255]);
    this.thumbs.forEach((row, layer) => row.forEach((button, head) => {
      const chosen = layer === this.state.layer && this.state.heads.includes(head);
      button.setAttribute("aria-pressed", chosen);
      const dark = isDark();
      const drawn = `${this.state.sequence} ${dark}`;
      if (button.dataset.drawn === drawn) return;
      button.dataset.drawn = drawn;
      const matrix = this.headOf(head, layer);
      const canvas = button.firstChild, {rows, columns} = matrix;
      canvas.width = columns;
      canvas.height = rows;
      const pen = canvas.getContext("2d"), picture = pen.createImageData(columns, rows);
      for (let i = 0; i < rows; ++i) {
        for (let j = 0; j < columns; ++j) {
          picture.data.set(colors[Math.round(matrix.weight(i, j) * 255)], 4 * (i * columns + j));
        }
      }
      pen.putImageData(picture, 0, 0);
    }));
  }

  draw() {
    if (this.alone === undefined) return;  // it is being built
    const {record, state} = this;
    const names = state.heads.length > 1 ? `heads ${state.heads.join(", ")}` : `head ${state.heads[0]}`;
    this.title.replaceChildren(node("strong", {}, record.name), record.heads > 1 ? `, ${names}` : "",
      `: ${record.shape[0]} queries, ${record.shape[1]} keys`);
    if (this.thumbs.flat().length > 1) this.drawThumbs();
    for (const button of this.tabList.children) {
      button.setAttribute("aria-pressed", button.dataset.view === state.view);
      const needs = {query: this.head.hasScores(), steps: this.head.hasScores()}[button.dataset.view] ?? true;
      button.hidden = !needs;
    }
    this.sequences.hidden = record.sequences < 2;
    if (this.sequences.options.length !== record.sequences) {
      this.sequences.replaceChildren(...Array.from({length: record.sequences}, (_, s) => node("option", {value: s}, `sequence ${s}`)));
    }
    this.sequences.value = state.sequence;
    this.shownThreshold.textContent = state.threshold.toFixed(2);
    this.tools.classList.toggle("ha-hidden", state.view !== "lines" && record.sequences < 2);
    this.tools.children[1].hidden = this.tools.children[2].hidden = state.view !== "lines";
    const picture = {lines: drawLines, map: drawMap, query: drawQuery, steps: drawSteps}[state.view](this);
    this.panel.replaceChildren(picture);
    this.save.hidden = !this.panel.querySelector("svg");
    this.tell();
  }

  // The line of text: what is looked at, in numbers.
  tell() {
    const {head, query, state} = this;
    if (query === null) {
      this.line.textContent = "Point at a word, or walk with the arrow keys; click or Enter holds it, Escape lets go.";
      return;
    }
    const locked = state.query !== null ? " (held)" : "";
    const word = `${head.queries[query]}${locked}`;
    if ((this.hoveredKey ?? state.key) !== null) {
      const j = this.hoveredKey ?? state.key;
      this.line.textContent = `${word} → ${head.keys[j]}: ` + this.pair(query, j);
      return;
    }
    const order = Array.from({length: head.columns}, (_, j) => j).filter(j => head.allows(query, j))
      .sort((a, b) => head.weight(query, b) - head.weight(query, a)).slice(0, 4);
    const list = order.map(j => `${head.keys[j]} ${shown(head.weight(query, j), 2)}`).join(", ");
    this.line.textContent = order.length > 0 ? `${word} looks at ${list}` : `${word} may look at nothing`;
  }
  pair(i, j) {
    const {head} = this;
    if (!head.allows(i, j)) return "masked";
    const score = head.hasScores() ? `, score ${shown(head.score(i, j))}` : "";
    return `weight ${shown(head.weight(i, j))}${score}`;
  }

  hover(query, key = null) {
    if (this.hovered === query && this.hoveredKey === key) return;
    this.hovered = query;
    this.hoveredKey = key;
    this.panel.dispatchEvent(new CustomEvent("ha-hover"));
    this.tell();
  }
  lock(query, key = null) {
    const same = this.state.query === query && this.state.key === key;
    this.go(same ? {query: null, key: null} : {query, key});
  }

  // Arrows walk over queries, and over keys where the view shows them; Enter holds, Escape lets go.
  pressed(event) {
    if (event.target.closest("input, select, .ha-model, .ha-tabs")) {
      if (event.key !== "Escape") return;
    }
    const {rows, columns} = this.head;
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (event.key === "Escape") {
      this.hovered = this.hoveredKey = null;
      this.go({query: null, key: null});
    } else if (event.key === "Enter" && this.query !== null && event.target.closest(".ha-panel")) {
      this.lock(this.query, this.hoveredKey);
    } else if (step && event.target.closest(".ha-panel")) {
      const within = (value, length) => Math.min(Math.max(value, 0), length - 1);
      const i = this.query === null ? 0 : within(this.query + step[0], rows);
      const from = this.hoveredKey ?? this.state.key;
      const j = from !== null ? within(from + step[1], columns) : step[1] === 0 ? null : 0;
      if (this.state.query !== null) {
        this.hovered = this.hoveredKey = null;
        this.go({query: i, key: j});
      } else {
        this.hover(i, j);
      }
      this.panel.querySelector("[tabindex]")?.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  savePicture() {
    const picture = this.panel.querySelector("svg").cloneNode(true);
    picture.setAttribute("xmlns", svgNames);
    const text = new XMLSerializer().serializeToString(picture);
    const bytes = Array.from(new TextEncoder().encode(text), b => String.fromCharCode(b)).join("");
    this.save.href = "data:image/svg+xml;base64," + btoa(bytes);
  }
}
