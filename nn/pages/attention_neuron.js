// One query, number by number: q, k, q⊙k, their sum, the scale, the mask, softmax, and the values.

const line = 24;  // height of a row

Object.assign(View.prototype, {
  // q·k of all pairs of a head, before the scale; null if Q and K are not in the page.
  products(head = this.state.heads[0]) {
    const {T_q, T_k, d_q, d_k} = this.record;
    const Q = this.part("Q", head), K = this.part("K", head);
    if (!Q || !K || d_q !== d_k) return null;
    const products = new Float64Array(T_q * T_k);
    for (let i = 0; i < T_q; ++i) {
      for (let j = 0; j < T_k; ++j) {
        for (let d = 0; d < d_k; ++d) products[i * T_k + j] += Q[i * d_k + d] * K[j * d_k + d];
      }
    }
    return products;
  },

  // Whether the recorded scores are scale·q·k: not with a bias, a cap or another score.
  isDotProduct(head = this.state.heads[0]) {
    const products = this.products(head), scores = this.part("scores", head);
    if (!products) return false;
    if (!scores) return true;
    const {scale} = this.record;
    return products.every((one, i) => !Number.isFinite(scores[i]) ||
      Math.abs(one * scale - scores[i]) <= 1e-4 * (1 + Math.abs(scores[i])));
  },

  // What the softmax of one query sees and gives, for each key.
  steps(query) {
    const {T_k, scale, temperature} = this.record;
    const products = this.products(), scores = this.part("scores"), allowed = this.allowed();
    const weights = this.part("weights");
    return Array.from({length: T_k}, (_, j) => {
      const place = query * T_k + j;
      const product = products ? products[place] : null;
      const score = scores ? scores[place] : product * scale;
      return {product, score, rest: product === null ? null : score - product * scale,
              divided: temperature > 0 ? score / temperature : score,
              masked: Boolean(allowed) && !allowed[place], weight: weights[place]};
    });
  },

  drawNeuron() {
    const {record} = this;
    const queries = this.tokens("queries"), keys = this.tokens("keys");
    const query = this.state.query ?? record.T_q - 1;
    const choose = element("select", {}, ...queries.map((token, i) => option(i, token === String(i) ? token : `${i} ${token}`)));
    choose.value = query;
    choose.addEventListener("change", () => {
      this.go({query: Number(choose.value)});
      this.extra.querySelector("select").focus();
    });
    this.extra.append(element("label", {}, "Query ", choose));
    const steps = this.steps(query);
    const columns = this.neuronColumns(query, steps);
    const width = columns.reduce((x, column) => x + column.width + 14, 0);
    const height = 92 + line * (keys.length + (record.V ? 1 : 0)) + 30;
    const svg = picture(width, height, `Query ${query}, ${queries[query]}, of ${record.name} ` +
                        this.headName(this.state.heads[0]), {role: "group"});
    svg.append(textAt(8, height - 8, "Blue is negative, orange positive; each kind of vector has " +
                      "its own scale, symmetric about 0.", {"font-size": 11, opacity: 0.75}));
    const rows = this.neuronRows(width, keys, steps);
    svg.append(...rows);
    let x = 0;
    for (const column of columns) {
      const middle = x + column.width / 2;
      svg.append(textAt(middle, 14, column.name, {"text-anchor": "middle", "font-weight": 600}));
      svg.append(textAt(middle, 30, column.note ?? "", {"text-anchor": "middle", "font-size": 11,
                                                        opacity: 0.75}));
      column.draw(svg, x);
      x += column.width + 14;
    }
    this.listenToRows(svg, rows, query);
    this.refresh = () => {
      rows.forEach((row, j) => row.classList.toggle("is-chosen", this.key === j));
      this.sum.replaceChildren(this.sentence(query, this.key ?? this.largest(steps), steps));
    };
    this.refresh();
    this.panel.replaceChildren(element("div", {class: "ha-scroll", tabindex: -1}, svg));
  },

  largest(steps) {
    return steps.reduce((best, step, j) => (step.weight > steps[best].weight ? j : best), 0);
  },

  // Vectors as strips of cells, coloured by sign; said in the line of text when pointed at.
  strip(svg, x, y, numbers, count, most, width, name) {
    const cell = width / count;
    for (let d = 0; d < count; ++d) {
      svg.append(shape("rect", {x: (x + d * cell).toFixed(2), y, width: (cell * (cell > 6 ? 0.92 : 1)).toFixed(2),
        height: line - 7, fill: css(signRgb(numbers[d], most)),
        "data-say": `${name}[${d}] = ${shown(numbers[d])}`}));
    }
  },

  neuronColumns(query, steps) {
    const {record} = this;
    const {d_k, d_v, T_k, scale, temperature} = record;
    const Q = this.part("Q"), K = this.part("K"), V = this.part("V");
    const keys = this.tokens("keys");
    const vector = (numbers, row, size) => numbers.subarray(row * size, (row + 1) * size);
    const y = (j) => 70 + line * j;
    const number = (name, note, width, textOf) => ({name, note, width, draw: (svg, x) =>
      steps.forEach((step, j) => svg.append(textAt(x + width, y(j) + 14, textOf(step), {
        "text-anchor": "end", "class": "ha-number", opacity: step.masked && name !== "q\u00b7k" ? 0.6 : 1})))});
    const size = (count) => Math.max(96, Math.min(132, count * 14));
    const columns = [{name: "key", note: "", width: 96, draw: (svg, x) =>
      keys.forEach((token, j) => svg.append(textAt(x + 96, y(j) + 14, fit(token, 94, 12),
        {"text-anchor": "end"})))}];
    const product = steps[0].product !== null;
    const q = vector(Q, query, record.d_q);
    const most = Math.max(magnitude(Q), magnitude(K));
    columns.push({name: "k", note: "q above, k below", width: size(Math.max(d_k, record.d_q)), draw: (svg, x) => {
      svg.append(textAt(x - 14, 54, fit(`q of ${this.tokens("queries")[query]}`, 92, 12),
                        {"text-anchor": "end", "font-weight": 600}));
      this.strip(svg, x, 40, q, record.d_q, most, size(record.d_q), "q");
      for (let j = 0; j < T_k; ++j) this.strip(svg, x, y(j), vector(K, j, d_k), d_k, most, size(d_k), "k");
    }});
    if (product) {
      const times = keys.map((_, j) => vector(K, j, d_k).map((k, d) => k * q[d]));
      const largest = Math.max(...times.map((row) => magnitude(row)));
      columns.push({name: "q\u2299k", note: "entry by entry", width: size(d_k), draw: (svg, x) =>
        times.forEach((row, j) => this.strip(svg, x, y(j), row, d_k, largest, size(d_k), "q\u2299k"))});
      columns.push(number("q\u00b7k", "the sum \u03a3", 62, (step) => shown(step.product)));
    }
    const dot = this.isDotProduct();
    if (product && !dot) columns.push(number("+ rest", "bias, cap \u2026", 62, (step) => shown(step.rest)));
    columns.push(number("score", product ? `\u00d7 ${minus(scale.toFixed(4))}` : "as recorded", 66,
                        (step) => shown(step.score)));
    if (temperature !== 1 && temperature > 0) {
      columns.push(number("\u00f7 temp.", String(temperature), 66, (step) => shown(step.divided)));
    }
    if (record.mask) {
      columns.push(number("mask", "", 52, (step) => (step.masked ? "masked" : "allowed")));
    }
    columns.push({name: "weight", note: "softmax", width: 116, draw: (svg, x) => steps.forEach((step, j) => {
      if (step.masked) {
        svg.append(textAt(x + 54, y(j) + 14, "\u00b7", {"text-anchor": "end", opacity: 0.6}));
        return;
      }
      svg.append(textAt(x + 54, y(j) + 14, shown(step.weight), {"text-anchor": "end", "class": "ha-number"}),
        shape("rect", {x: x + 60, y: y(j), width: 56, height: line - 7, fill: "currentColor", opacity: 0.08}),
        shape("rect", {x: x + 60, y: y(j), height: line - 7, fill: headColor(0),
                       width: (56 * Math.min(Math.max(step.weight, 0), 1)).toFixed(2)}));
    })});
    if (V) columns.push(...this.valueColumns(V, steps, size(d_v), y, vector));
    return columns;
  },

  valueColumns(V, steps, width, y, vector) {
    const {d_v, T_k} = this.record;
    const most = magnitude(V);
    const parts = steps.map((step, j) => vector(V, j, d_v).map((v) => v * step.weight));
    const output = parts[0].map((_, d) => parts.reduce((sum, part) => sum + part[d], 0));
    const largest = Math.max(magnitude(output), ...parts.map((part) => magnitude(part)));
    return [
      {name: "v", note: "the value", width, draw: (svg, x) => {
        for (let j = 0; j < T_k; ++j) this.strip(svg, x, y(j), vector(V, j, d_v), d_v, most, width, "v");
      }},
      {name: "weight\u00b7v", note: "their sum below", width, draw: (svg, x) => {
        parts.forEach((part, j) => {
          if (!steps[j].masked) this.strip(svg, x, y(j), part, d_v, largest, width, "weight\u00b7v");
        });
        svg.append(textAt(x - 14, y(T_k) + 22, "output \u03a3", {"text-anchor": "end", "font-weight": 600}));
        this.strip(svg, x, y(T_k) + 8, output, d_v, largest, width, "output");
      }},
    ];
  },

  neuronRows(width, keys, steps) {
    return keys.map((token, j) => {
      const step = steps[j];
      const label = `key ${j}, ${token}: score ${shown(step.score)}, ` +
        (step.masked ? "masked" : `weight ${shown(step.weight)}`);
      return shape("g", {class: "ha-row", role: "button", tabindex: j === (this.state.key ?? 0) ? 0 : -1,
                         "aria-label": label, "aria-pressed": this.state.key === j,
                         "data-index": j, "data-focus": `row ${j}`},
                   shape("title", {}, token),
                   shape("rect", {x: 0, y: 67 + line * j, width, height: line - 1, rx: 3,
                                  fill: "currentColor", "fill-opacity": 0}));
    });
  },

  listenToRows(svg, rows, query) {
    const rowAt = (event) => {
      const box = svg.getBoundingClientRect();
      const j = Math.floor((event.clientY - box.top - 67) / line);
      return j >= 0 && j < rows.length ? j : null;
    };
    svg.addEventListener("pointermove", (event) => {
      this.look(null, rowAt(event));
      if (event.target.dataset.say) this.line.textContent = event.target.dataset.say;
      else this.say();
    });
    svg.addEventListener("pointerleave", () => this.look(null, null));
    const lockOn = (j) => { if (j !== null) this.lock(query, j); };
    svg.addEventListener("click", (event) => {
      const focused = event.target.closest(".ha-row");
      lockOn(focused && event.detail === 0 ? Number(focused.dataset.index) : rowAt(event));
    });
    svg.addEventListener("focusin", (event) => {
      const row = event.target.closest(".ha-row");
      if (row) this.look(query, Number(row.dataset.index));
    });
    svg.addEventListener("keydown", (event) => {
      const row = event.target.closest(".ha-row");
      if (!row) return;
      const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      const j = Number(row.dataset.index);
      if (step) {
        const next = rows[Math.min(Math.max(j + step, 0), rows.length - 1)];
        for (const one of rows) one.setAttribute("tabindex", one === next ? 0 : -1);
        next.focus();
      } else if (event.key === "Enter" || event.key === " ") lockOn(j);
      else return;
      event.preventDefault();
    });
  },

  // The arithmetic of one key, with the numbers that are shown.
  sentence(query, key, steps) {
    const {d_k, d_q, scale, temperature} = this.record;
    const step = steps[key];
    const tokens = `${inQuotes(this.tokens("queries")[query])} looks at ${inQuotes(this.tokens("keys")[key])}: `;
    let text = "";
    const inBrackets = (number) => (number < 0 ? `(${shown(number)})` : shown(number));
    if (step.product !== null) {
      const q = this.part("Q").subarray(query * d_q), k = this.part("K").subarray(key * d_k);
      const most = Math.min(d_k, d_k <= 5 ? 5 : 3);
      const terms = Array.from({length: most}, (_, d) => `${inBrackets(q[d])}\u00b7${inBrackets(k[d])}`);
      if (d_k > most) terms.push(`\u2026 (${d_k - most} more)`);
      const root = Math.abs(scale * Math.sqrt(d_k) - 1) < 1e-6 ? ` = 1/\u221a${d_k}` : "";
      const rest = this.isDotProduct() ? "" : `, plus ${inBrackets(step.rest)} (a bias, a cap or another score)`;
      text += `q\u00b7k = ${terms.join(" + ")} = ${shown(step.product)}. Times the scale ` +
        `${inBrackets(scale)}${root}${rest}, the score is ${shown(step.score)}. `;
    } else {
      text += `the recorded score is ${shown(step.score)}. `;
    }
    if (temperature !== 1 && temperature > 0) text += `Divided by the temperature ${temperature}: ${shown(step.divided)}. `;
    if (step.masked) {
      return element("p", {}, element("strong", {}, tokens),
                     text + "The mask blocks this key: it counts as \u2212\u221e and adds nothing.");
    }
    const open = steps.filter((one) => !one.masked);
    const largest = Math.max(...open.map((one) => one.divided));
    const sum = open.reduce((total, one) => total + Math.exp(one.divided - largest), 0);
    if (temperature === 0) text += "At temperature 0 the largest score has all the weight";
    else text += `Softmax: e^(${shown(step.divided)} \u2212 ${inBrackets(largest)}) / ${shown(sum)}`;
    text += ` = ${shown(step.weight)}` + (this.record.V ? `, so ${shown(step.weight)}\u00b7v is added to the output.` : ".");
    return element("p", {}, element("strong", {}, tokens), text);
  },
});
