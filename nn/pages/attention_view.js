// A view of recorded attention. View holds the state, which is in the page's address, the controls
// and the line of text; each picture has a file of its own. Tokens only ever become text nodes.

const svgNamespace = "http://www.w3.org/2000/svg";

// element("p", {class: "x"}, "text", child) makes an HTML element, shape() an SVG one.
function withParts(node, attributes, parts) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...parts.filter((part) => part !== null));
  return node;
}
const element = (tag, attributes = {}, ...parts) =>
  withParts(document.createElement(tag), attributes, parts);
const shape = (tag, attributes = {}, ...parts) =>
  withParts(document.createElementNS(svgNamespace, tag), attributes, parts);

const decimals = (number) => (Number.isFinite(number) ? number.toFixed(4) : String(number));
const minus = (text) => text.replace("-", "\u2212");
const shown = (number) => minus(decimals(number));

// The numbers of the records, decoded when a head is looked at.
class Records {
  constructor(json) {
    this.bits = json.bits;
    this.leftOut = json.left_out;
    this.all = json.records;
    this.kept = new Map();
  }

  bytes(text) {
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = letters.charCodeAt(i);
    return bytes;
  }

  // The bytes are little-endian, and so is a typed array on every machine with a browser.
  numbers(text) {
    const buffer = this.bytes(text).buffer;
    return this.bits === 64 ? new Float64Array(buffer) : new Float32Array(buffer);
  }

  // allowed[i·T_k + j] is 1 where query i may attend to key j; null without a mask.
  allowed(record, head) {
    if (!record.mask) return null;
    const which = record.mask.of[head];
    const key = `mask ${this.all.indexOf(record)} ${which}`;
    if (!this.kept.has(key)) {
      const bits = this.bytes(record.mask.bits[which]);
      const allowed = new Uint8Array(record.T_q * record.T_k);
      for (let i = 0; i < allowed.length; ++i) allowed[i] = (bits[i >> 3] >> (7 - (i & 7))) & 1;
      this.kept.set(key, allowed);
    }
    return this.kept.get(key);
  }

  weights(record, head) {
    const stored = this.leftOut === 3
      ? Float64Array.from(new Uint16Array(this.bytes(record.weights[head]).buffer), (n) => n / 65535)
      : this.numbers(record.weights[head]);
    if (!record.sparse) return stored;
    const allowed = this.allowed(record, head);
    const weights = new Float64Array(allowed.length);
    for (let i = 0, from = 0; i < allowed.length; ++i) {
      if (allowed[i]) weights[i] = stored[from++];
    }
    return weights;
  }

  // One part of one head: "weights", "scores", "Q", "K" or "V"; null if it is not in the page.
  part(record, name, head) {
    if (!record[name]) return null;
    const key = `${name} ${this.all.indexOf(record)} ${head}`;
    if (!this.kept.has(key)) {
      const numbers = name === "weights" ? this.weights(record, head)
                                         : this.numbers(record[name][head]);
      this.kept.set(key, numbers);
    }
    return this.kept.get(key);
  }

  tokens(record, side, sequence) {
    const lists = record[side];
    if (lists.length === 0) {
      const count = side === "queries" ? record.T_q : record.T_k;
      return Array.from({length: count}, (_, t) => String(t));
    }
    return lists.length === 1 ? lists[0] : lists[sequence];
  }
}

const viewNames = {
  model: "All heads", head: "Heads", neuron: "One query", matrices: "Matrices",
};

class View {
  constructor(section, several) {
    this.section = section;
    this.prefix = several ? section.id + "." : "";
    const data = section.querySelector('script[type="application/json"]');
    this.records = new Records(JSON.parse(data.textContent));
    this.preview = {query: null, key: null};  // what the pointer or the keyboard is at
    this.state = this.stateOf(location.hash);
    this.build();
    this.draw();
    addEventListener("hashchange", () => this.follow());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    let width = section.clientWidth;
    new ResizeObserver(() => {
      if (Math.abs(section.clientWidth - width) < 8) return;
      width = section.clientWidth;
      this.draw();
    }).observe(section);
  }

  get record() { return this.records.all[this.state.layer]; }
  // The place of one of the sequence's heads in the record.
  place(head) { return this.state.sequence * this.record.heads + head; }
  part(name, head = this.state.heads[0]) {
    return this.records.part(this.record, name, this.place(head));
  }
  allowed(head = this.state.heads[0]) {
    return this.records.allowed(this.record, this.place(head));
  }
  tokens(side) { return this.records.tokens(this.record, side, this.state.sequence); }
  // What is looked at: the preview, else what is locked.
  get query() { return this.preview.query ?? this.state.query; }
  get key() { return this.preview.key ?? this.state.key; }

  // Which views the data of the record allows.
  offered(record = this.record) {
    const names = ["head"];
    if (this.records.all.length > 1 || record.heads > 1) names.unshift("model");
    if (record.Q && record.K) names.push("neuron");
    if (record.scores || (record.Q && record.K)) names.push("matrices");
    return names;
  }

  // The state that an address asks for; what it cannot have is as if it were not asked for.
  stateOf(hash) {
    const asked = new Map();
    for (const pair of hash.replace(/^#/, "").split("&")) {
      const at = pair.indexOf("=");
      if (pair.startsWith(this.prefix)) asked.set(pair.slice(this.prefix.length, at), pair.slice(at + 1));
    }
    const whole = (name, end, otherwise) => {
      const text = asked.get(name) ?? "";
      return /^\d+$/.test(text) && Number(text) < end ? Number(text) : otherwise;
    };
    const layer = whole("layer", this.records.all.length, 0);
    const record = this.records.all[layer];
    const heads = (asked.get("head") ?? "").split(",")
      .filter((text) => /^\d+$/.test(text) && Number(text) < record.heads).map(Number);
    const offered = this.offered(record);
    const named = asked.has("head") || asked.has("query") || asked.has("layer");
    const view = asked.get("view") ?? (named ? "head" : offered[0]);
    return {
      view: offered.includes(view) ? view : "head",
      layer, sequence: whole("sequence", record.sequences, 0),
      heads: heads.length ? [...new Set(heads)] : [0],
      query: whole("query", record.T_q, null), key: whole("key", record.T_k, null),
      as: asked.get("as") === "map" ? "map" : "lines",
      least: whole("least", 101, 2), top: whole("top", 1000, 0),
    };
  }

  address(state) {
    const others = location.hash.replace(/^#/, "").split("&")
      .filter((pair) => pair && this.prefix && !pair.startsWith(this.prefix));
    const own = [`view=${state.view}`, `layer=${state.layer}`, `head=${state.heads.join(",")}`];
    if (state.sequence) own.push(`sequence=${state.sequence}`);
    if (state.query !== null) own.push(`query=${state.query}`);
    if (state.key !== null) own.push(`key=${state.key}`);
    if (state.as !== "lines") own.push("as=map");
    if (state.least !== 2) own.push(`least=${state.least}`);
    if (state.top) own.push(`top=${state.top}`);
    return "#" + [...others, ...own.map((pair) => this.prefix + pair)].join("&");
  }

  // Changes the state: a step that the back button undoes, unless `quietly`.
  go(changes, quietly = false) {
    const address = this.address({...this.state, ...changes});
    this.state = this.stateOf(address);
    if (quietly) history.replaceState(null, "", address);
    else if (address !== location.hash) location.hash = address;
    this.preview = {query: null, key: null};
    this.draw();
  }

  // The address has changed: by the back button, a link, or go().
  follow() {
    const asked = this.stateOf(location.hash);
    if (JSON.stringify(asked) === JSON.stringify(this.state)) return;
    this.state = asked;
    this.preview = {query: null, key: null};
    this.draw();
  }

  unlock() {
    if (this.state.query === null && this.state.key === null) return;
    this.go({query: null, key: null});
  }
}
