// The frame of a view: tabs, what is shown of what, the line of text, and saving the picture.

const caveat = "Weights say where a head read from, not why a model answered as it did.";

const missing = [
  "",
  "The values V did not fit into this page.",
  "Queries, keys, values and scores did not fit into this page, so only the weights can be shown.",
  "Only the weights fit into this page, rounded to units of 1/65535.",
];
const howToRecordLess = ' To see more, record one layer: RecordAttention(model, "layer").';

const upper = (text) => text[0].toUpperCase() + text.slice(1);

// A token in a sentence.
const named = (i, token) => (token === String(i) ? token : `${i} ${inQuotes(token)}`);
const inQuotes = (token) => `\u201c${cut(token, 40)}\u201d`;

function option(value, text) { return element("option", {value}, text); }

Object.assign(View.prototype, {
  build() {
    const id = this.section.id;
    const labelled = (text, control) => element("label", {}, text, " ", control);
    this.tabs = element("div", {class: "ha-tabs", role: "tablist", "aria-label": "View"});
    for (const [name, text] of Object.entries(viewNames)) {
      const tab = element("button", {type: "button", role: "tab", id: `${id}-tab-${name}`,
                                     "aria-controls": `${id}-panel`, "data-view": name}, text);
      tab.addEventListener("click", () => this.go({view: name}));
      this.tabs.append(tab);
    }
    this.tabs.addEventListener("keydown", (event) => this.walkTabs(event));
    this.layer = element("select");
    this.records.all.forEach((record, i) =>
      this.layer.append(option(i, record.name || `call ${i}`)));
    this.layer.addEventListener("change", () => this.go({layer: Number(this.layer.value)}));
    this.sequence = element("select");
    this.sequence.addEventListener("change",
      () => this.go({sequence: Number(this.sequence.value), query: null, key: null}));
    this.layerLabel = labelled("Layer", this.layer);
    this.sequenceLabel = labelled("Sequence", this.sequence);
    this.chips = element("div", {class: "ha-chips", role: "group", "aria-label": "Heads"});
    this.extra = element("div", {class: "ha-extra"});
    this.panel = element("div", {class: "ha-panel", role: "tabpanel", id: `${id}-panel`});
    this.line = element("p", {class: "ha-line", role: "status", "aria-live": "polite"});
    this.sum = element("div", {class: "ha-sum"});
    this.save = element("button", {type: "button"}, "Save this picture");
    this.save.addEventListener("click", () => this.savePicture());
    const left = this.records.leftOut;
    const left_out = missing[left] + (left ? howToRecordLess : "");
    this.section.append(
      ...(left ? [element("p", {class: "ha-missing"}, left_out)] : []), this.tabs,
      element("div", {class: "ha-controls"}, this.layerLabel, this.sequenceLabel, this.chips,
              this.extra),
      this.panel, this.line, this.sum,
      element("div", {class: "ha-foot"}, this.save, element("p", {}, caveat)));
    this.section.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.unlock();
    });
  },

  walkTabs(event) {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const names = this.offered();
    const next = names[(names.indexOf(this.state.view) + step + names.length) % names.length];
    this.go({view: next});
    this.tabs.querySelector(`[data-view="${next}"]`).focus();
    event.preventDefault();
  },

  // Everything anew, from the state.
  draw() {
    const offered = this.offered();
    for (const tab of this.tabs.children) {
      const name = tab.dataset.view;
      tab.hidden = !offered.includes(name);
      tab.setAttribute("aria-selected", name === this.state.view);
      tab.tabIndex = name === this.state.view ? 0 : -1;
    }
    this.tabs.hidden = offered.length === 1;
    this.panel.setAttribute("aria-labelledby", `${this.section.id}-tab-${this.state.view}`);
    const model = this.state.view === "model";
    this.layer.value = this.state.layer;
    this.layerLabel.hidden = model;
    this.sequence.replaceChildren(
      ...Array.from({length: this.record.sequences}, (_, s) => option(s, String(s))));
    this.sequence.value = this.state.sequence;
    this.sequenceLabel.hidden = this.record.sequences === 1;
    this.drawChips();
    this.extra.replaceChildren();
    this.sum.replaceChildren();
    const focused = this.panel.contains(document.activeElement);
    const kept = focused ? document.activeElement.dataset.focus : null;
    this[{model: "drawModel", head: "drawHead", neuron: "drawNeuron",
          matrices: "drawMatrices"}[this.state.view]]();
    if (kept) this.panel.querySelector(`[data-focus="${kept}"]`)?.focus();
    this.say();
  },

  headName(head) {
    if (this.record.heads === 1) return "";
    return `head ${head}`;
  },

  // Heads to choose: several at once where lines are drawn, otherwise one.
  drawChips() {
    const several = this.state.view === "head" && this.state.as === "lines";
    this.chips.hidden = this.state.view === "model" || this.record.heads === 1;
    const label = element("span", {}, "Heads");
    const chips = Array.from({length: this.record.heads}, (_, head) => {
      const on = several ? this.state.heads.includes(head) : this.state.heads[0] === head;
      const chip = element("button", {type: "button", class: "ha-chip", "aria-pressed": on,
                                      "aria-label": this.headName(head)}, String(head));
      if (on) chip.style.setProperty("--chip", several ? headColor(this.state.heads.indexOf(head)) : "");
      chip.addEventListener("click", () => {
        const others = this.state.heads.filter((one) => one !== head);
        if (!several) this.go({heads: [head]});
        else if (!on) this.go({heads: [...others, head]});
        else if (others.length) this.go({heads: others});
        this.chips.querySelectorAll("button")[head].focus();
      });
      return chip;
    });
    this.chips.replaceChildren(label, ...chips);
  },

  // The line of text says what is looked at, in numbers.
  say() {
    const {key} = this;
    const query = this.query ?? (this.state.view === "neuron" ? this.record.T_q - 1 : null);
    const queries = this.tokens("queries"), keys = this.tokens("keys");
    if (this.state.view === "model") {
      this.line.textContent = "Rows are queries, columns keys. Choose a head to see it large.";
      return;
    }
    const prefix = this.headName(this.state.heads[0]);
    const start = prefix ? upper(prefix) + ": " : "";
    if (query !== null && key !== null) {
      this.line.textContent = start + `${start ? "query" : "Query"} ${named(query, queries[query])}, ` +
        `key ${named(key, keys[key])}: ` + this.weightText(query, key) + ".";
    } else if (query !== null || key !== null) {
      const sentence = this.strongest(query, key, queries, keys);
      this.line.textContent = start ? start + sentence : upper(sentence);
    } else {
      this.line.textContent = "Rows are queries, columns keys. Point at a token or a cell for its " +
        "number; a click keeps it, Esc lets go.";
    }
  },

  weightText(query, key) {
    const place = query * this.record.T_k + key;
    const allowed = this.allowed();
    const scores = this.state.view === "matrices" ? this.part("scores") : null;
    const score = scores ? `score ${shown(scores[place])}, ` : "";
    if (allowed && !allowed[place]) return score + "masked";
    return score + "weight " + shown(this.part("weights")[place]);
  },

  // "query 2 "keys" reads most from "the" 0.61, "keys" 0.39"
  strongest(query, key, queries, keys) {
    const {T_q, T_k} = this.record;
    const weights = this.part("weights"), allowed = this.allowed();
    const places = query !== null
      ? keys.map((token, j) => [token, query * T_k + j])
      : queries.map((token, i) => [token, i * T_k + key]);
    const open = places.filter(([, place]) => !allowed || allowed[place]);
    open.sort((a, b) => weights[b[1]] - weights[a[1]]);
    const best = open.slice(0, 3)
      .map(([token, place]) => `${inQuotes(token)} ${shown(weights[place])}`).join(", ");
    const subject = query !== null ? `query ${named(query, queries[query])}`
                                   : `key ${named(key, keys[key])}`;
    if (!open.length) return `${subject}: all is masked.`;
    const masked = (query !== null ? T_k : T_q) - open.length;
    return subject + (query !== null ? " reads most from " : " is read most by ") + best +
      (masked ? `; ${masked} masked.` : ".");
  },
});
