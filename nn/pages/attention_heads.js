// One head or several: lines from queries to keys, or a heat map; and the three matrices of a head.

const rowHeight = 24;

Object.assign(View.prototype, {
  room() { return Math.max(260, this.panel.clientWidth || this.section.clientWidth); },

  // What the pointer is at, without drawing everything anew.
  look(query, key) {
    if (query === this.preview.query && key === this.preview.key) return;
    this.preview = {query, key};
    this.refresh?.();
    this.say();
  },
  // A click on what is locked already lets it go.
  lock(query, key) {
    if (query === null && key === null) return;
    const same = query === this.state.query && key === this.state.key;
    this.go(same ? {query: null, key: null} : {query, key});
  },

  drawHead() {
    const choose = (as, text) => {
      const button = element("button", {type: "button", "aria-pressed": this.state.as === as}, text);
      button.addEventListener("click", () => {
        this.go({as});
        [...this.extra.querySelectorAll("button")].find((one) => one.textContent === text).focus();
      });
      return button;
    };
    this.extra.append(element("div", {class: "ha-switch", role: "group", "aria-label": "Draw as"},
                              choose("lines", "Lines"), choose("map", "Heat map")));
    if (this.state.as === "map") this.drawMap();
    else this.drawLines();
  },

  drawMap() {
    const head = this.headName(this.state.heads[0]);
    this.drawMatrixList([this.weightMatrix(`Weights of ${this.record.name} ${head}`.trim())]);
  },

  weightMatrix(name) {
    return {
      name, rows: this.tokens("queries"), columns: this.tokens("keys"),
      numbers: this.part("weights"), allowed: this.allowed(), rgbOf: weightRgb, from: "0", to: "1",
      colorAt: weightRgb,
    };
  },
  signMatrix(name, numbers, allowed) {
    const most = magnitude(numbers, (i) => !allowed || allowed[i]);
    return {
      name, rows: this.tokens("queries"), columns: this.tokens("keys"), numbers, allowed,
      rgbOf: (number) => signRgb(number, most), from: minus((-most).toFixed(2)),
      to: most.toFixed(2), colorAt: (part) => signRgb(2 * part - 1, 1),
    };
  },

  drawMatrixList(matrices) {
    const at = this.at = {query: this.query, key: this.key};
    const width = matrices.length > 1 ? Math.max(230, this.room() / matrices.length - 20)
                                      : this.room();
    const pictures = matrices.map((matrix) =>
      drawMatrix(matrix, width, at, (q, k) => this.look(q, k), (q, k) => this.lock(q, k)));
    this.refresh = () => {
      Object.assign(at, {query: this.query, key: this.key});
      for (const one of pictures) one.mark(at.query, at.key);
    };
    this.panel.replaceChildren(...pictures.map((one, i) => {
      const caption = element("figcaption", {}, matrices[i].name);
      return element("figure", {class: "ha-figure"}, caption, one);
    }));
  },

  drawMatrices() {
    const {record} = this;
    const matrices = [];
    const products = this.products();
    const tempered = record.temperature === 1 ? "" : `, divided by the temperature ${record.temperature}`;
    if (products && this.isDotProduct()) {
      matrices.push(this.signMatrix("Scores q\u00b7k", products, null));
    }
    const scores = this.part("scores");
    if (scores) {
      if (!matrices.length) matrices.push(this.signMatrix("Scores, before the mask", scores, null));
      const divided = record.temperature > 0 ? scores.map((one) => one / record.temperature) : scores;
      const scaled = this.isDotProduct() ? `after the scale ${decimals(record.scale)}` : "after";
      matrices.push(this.signMatrix(`Scores ${scaled}${this.allowed() ? " and the mask" : ""}${tempered}`,
                                    divided, this.allowed()));
    }
    matrices.push(this.weightMatrix("Weights: softmax of each row"));
    this.drawMatrixList(matrices);
  },

  // Lines between two columns of tokens, for each chosen head in its colour.
  drawLines() {
    const queries = this.tokens("queries"), keys = this.tokens("keys");
    this.addLineControls();
    const width = Math.min(this.room(), 760);
    const side = Math.min(170, Math.floor(width * 0.32));
    const height = 34 + rowHeight * Math.max(queries.length, keys.length) + 8;
    const name = `Attention of ${this.record.name}, ${this.state.heads.map((h) => this.headName(h)).join(", ")}`;
    const svg = picture(width, height, name, {role: "group"});
    const lines = shape("g", {class: "ha-lines", "aria-hidden": "true"});
    svg.append(textAt(side - 8, 18, "query", {"text-anchor": "end", opacity: 0.7}),
               textAt(width - side + 8, 18, "key", {opacity: 0.7}), lines);
    const label = (token, i, isQuery) => {
      const x = isQuery ? 0 : width - side;
      const group = shape("g", {
        class: "ha-token", role: "button", tabindex: -1, "data-side": isQuery ? "query" : "key",
        "data-index": i, "data-focus": `${isQuery ? "query" : "key"} ${i}`,
        "aria-label": `${isQuery ? "query" : "key"} ${i}, ${token}`,
      });
      group.append(shape("title", {}, token),
        shape("rect", {x, y: 28 + rowHeight * i, width: side, height: rowHeight - 2, rx: 4,
                       fill: "transparent"}),
        textAt(isQuery ? side - 8 : width - side + 8, 28 + rowHeight * i + 15, fit(token, side - 14, 13),
               {"text-anchor": isQuery ? "end" : "start", "font-size": 13}));
      return group;
    };
    const groups = [...queries.map((token, i) => label(token, i, true)),
                    ...keys.map((token, j) => label(token, j, false))];
    svg.append(...groups);
    this.listenToTokens(svg, groups, queries.length, keys.length);
    this.refresh = () => {
      this.drawLinesInto(lines, side, width - side);
      this.markTokens(groups);
    };
    this.refresh();
    const start = groups[this.state.query ?? (this.state.key === null ? 0 : queries.length + this.state.key)];
    start.setAttribute("tabindex", 0);
    this.panel.replaceChildren(svg);
  },

  addLineControls() {
    const least = element("input", {type: "range", min: 0, max: 60, value: this.state.least});
    const value = element("output", {}, (this.state.least / 100).toFixed(2));
    least.addEventListener("input", () => {
      this.state.least = Number(least.value);
      value.textContent = (this.state.least / 100).toFixed(2);
      this.refresh();
    });
    least.addEventListener("change", () => history.replaceState(null, "", this.address(this.state)));
    const top = element("select", {}, ...[0, 1, 2, 3, 5].map((n) => option(n, n ? String(n) : "all")));
    top.value = this.state.top;
    top.addEventListener("change", () => {
      this.state.top = Number(top.value);
      history.replaceState(null, "", this.address(this.state));
      this.refresh();
    });
    this.extra.append(element("label", {}, "Weights from ", least, " ", value),
                      element("label", {}, "Strongest ", top, " of a query"));
  },

  // The lines of a head that are to be seen: [query, key, weight].
  linesOf(head) {
    const {T_q, T_k} = this.record;
    const weights = this.part("weights", head), allowed = this.allowed(head);
    const only = this.query;
    const found = [];
    for (let i = only ?? 0; i <= (only ?? T_q - 1); ++i) {
      let row = [];
      for (let j = 0; j < T_k; ++j) {
        const weight = weights[i * T_k + j];
        if (allowed && !allowed[i * T_k + j]) continue;
        if (weight >= this.state.least / 100 && weight > 0) row.push([i, j, weight]);
      }
      if (this.state.top) row = row.sort((a, b) => b[2] - a[2]).slice(0, this.state.top);
      if (only === null && this.key !== null) row = row.filter((line) => line[1] === this.key);
      found.push(...row);
    }
    return found;
  },

  drawLinesInto(group, from, to) {
    const lines = [];
    this.state.heads.forEach((head, place) => {
      const shift = (place - (this.state.heads.length - 1) / 2) * 2;
      for (const [i, j, weight] of this.linesOf(head)) {
        const y = 39 + rowHeight * i + shift, end = 39 + rowHeight * j + shift;
        const bend = (to - from) * 0.4;
        lines.push(shape("path", {
          d: `M${from} ${y}C${from + bend} ${y} ${to - bend} ${end} ${to} ${end}`, fill: "none",
          stroke: headColor(place), "stroke-width": (1 + 3 * Math.min(weight, 1)).toFixed(2),
          "stroke-opacity": Math.min(1, 0.06 + 0.94 * weight).toFixed(3),
        }));
      }
    });
    group.replaceChildren(...lines);
  },

  // Tokens are tinted by their weight for what is looked at.
  markTokens(groups) {
    const {T_q, T_k} = this.record;
    const weights = this.part("weights"), allowed = this.allowed();
    groups.forEach((group, n) => {
      const isQuery = n < T_q, i = isQuery ? n : n - T_q;
      const chosen = isQuery ? this.query === i : this.key === i;
      const locked = isQuery ? this.state.query === i : this.state.key === i;
      let weight = 0;
      const place = isQuery ? i * T_k + this.key : this.query * T_k + i;
      const other = isQuery ? this.key !== null && this.query === null : this.query !== null;
      const isMasked = other && allowed && !allowed[place];
      if (other && !isMasked) weight = weights[place];
      group.classList.toggle("is-chosen", chosen);
      group.classList.toggle("is-masked", Boolean(isMasked));
      group.setAttribute("aria-pressed", locked);
      const tint = group.querySelector("rect");
      tint.setAttribute("fill", chosen ? "currentColor" : headColor(0));
      tint.setAttribute("fill-opacity", chosen ? 0.12 : (0.55 * Math.min(weight, 1)).toFixed(3));
    });
  },

  listenToTokens(svg, groups, T_q, T_k) {
    const lookAt = (group) => {
      const index = Number(group.dataset.index), isQuery = group.dataset.side === "query";
      // A key beside a locked query: their weight.
      if (!isQuery && this.state.query !== null) this.look(null, index);
      else this.look(isQuery ? index : null, isQuery ? null : index);
    };
    const tokenOf = (event) => event.target.closest(".ha-token");
    const lockOn = (group) => {
      const index = Number(group.dataset.index), isQuery = group.dataset.side === "query";
      const {query, key} = this.state;
      if (isQuery) this.go({query: query === index ? null : index, key: null});
      else this.go({key: key === index ? null : index});
    };
    svg.addEventListener("pointermove", (event) => {
      if (tokenOf(event)) lookAt(tokenOf(event));
      else this.look(null, null);
    });
    svg.addEventListener("pointerleave", () => this.look(null, null));
    svg.addEventListener("click", (event) => { if (tokenOf(event)) lockOn(tokenOf(event)); });
    svg.addEventListener("focusin", (event) => { if (tokenOf(event)) lookAt(tokenOf(event)); });
    svg.addEventListener("focusout", () => this.look(null, null));
    svg.addEventListener("keydown", (event) => {
      const group = tokenOf(event);
      if (!group) return;
      const index = Number(group.dataset.index), isQuery = group.dataset.side === "query";
      const all = isQuery ? T_q : T_k;
      const to = {
        ArrowDown: [isQuery, Math.min(index + 1, all - 1)], ArrowUp: [isQuery, Math.max(index - 1, 0)],
        Home: [isQuery, 0], End: [isQuery, all - 1],
        ArrowRight: [false, Math.min(index, T_k - 1)], ArrowLeft: [true, Math.min(index, T_q - 1)],
      }[event.key];
      if (to) {
        const next = groups[to[0] ? to[1] : T_q + to[1]];
        for (const one of groups) one.setAttribute("tabindex", one === next ? 0 : -1);
        next.focus();
      } else if (event.key === "Enter" || event.key === " ") lockOn(group);
      else return;
      event.preventDefault();
    });
  },
});
