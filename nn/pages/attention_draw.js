// The pictures of one head: lines, heat map, the arithmetic of one query, three matrices.

// Queries on the left, keys on the right, a line for each weight, the stronger the larger.
function drawLines(view) {
  const {state} = view;
  const heads = state.heads.map(h => view.headOf(h));
  const {queries, keys, rows, columns} = view.head;
  const step = Math.max(14, Math.min(26, 900 / Math.max(rows, columns)));
  const width = 460, left = 150, right = 310, height = (Math.max(rows, columns) + 1) * step;
  const y = i => (i + 1) * step;
  const svg = node("svg:svg", {viewBox: `0 0 ${width} ${height + 6}`, class: "ha-lines", role: "group",
    "aria-label": "Lines from each query to the keys it looks at"});
  svg.append(node("svg:title", {}, `${view.record.name}, who looks at whom`),
    node("svg:text", {x: left - 8, y: step * 0.4, class: "ha-axis", "text-anchor": "end"}, "queries"),
    node("svg:text", {x: right + 8, y: step * 0.4, class: "ha-axis"}, "keys"));
  const lines = [];
  heads.forEach((head, at) => {
    const color = heads.length > 1 ? headColors[at % headColors.length] : isDark() ? "#7cb7ff" : "#1f5fae";
    for (let i = 0; i < rows; ++i) {
      const strongest = state.top === 0 ? null : largestKeys(head, i, state.top);
      for (let j = 0; j < columns; ++j) {
        const weight = head.weight(i, j);
        if (weight < Math.max(state.threshold, 0.01) || (strongest && !strongest.has(j))) continue;
        const line = node("svg:line", {x1: left, y1: y(i) - 4, x2: right, y2: y(j) - 4, stroke: color,
          "stroke-width": 2.5, "stroke-opacity": weight.toFixed(3)});
        lines.push([i, j, line, weight]);
        svg.append(line);
      }
    }
  });
  const words = [];
  queries.forEach((word, i) => {
    const text = node("svg:text", {x: left - 8, y: y(i), "text-anchor": "end", class: "ha-word", tabindex: 0,
      role: "button", "aria-label": `query ${i}, ${word}`, "aria-pressed": state.query === i,
      onclick: () => view.lock(i), onmouseenter: () => view.hover(i), onfocus: () => view.hover(i),
      onmouseleave: () => view.hover(null)}, node("svg:title", {}, word), short(word, 15));
    words.push(text);
    svg.append(text);
  });
  keys.forEach((word, j) => svg.append(node("svg:text", {x: right + 8, y: y(j), class: "ha-word ha-key",
    "data-key": j}, node("svg:title", {}, word), short(word, 15))));
  const show = () => {
    const query = view.query;
    for (const [i, , line, weight] of lines) {
      line.setAttribute("stroke-opacity", (query === null || query === i ? weight : weight * 0.06).toFixed(3));
    }
    words.forEach((text, i) => text.classList.toggle("ha-chosen", i === query));
    for (const text of svg.querySelectorAll(".ha-key")) {
      const j = Number(text.dataset.key);
      text.classList.toggle("ha-masked", query !== null && !view.head.allows(query, j));
      text.classList.toggle("ha-chosen", query !== null && view.head.weight(query, j) > 0.3);
    }
  };
  view.panel.addEventListener("ha-hover", () => svg.isConnected && show());
  show();
  return svg;
}

function largestKeys(head, i, count) {
  const keys = Array.from({length: head.columns}, (_, j) => j).filter(j => head.allows(i, j));
  return new Set(keys.sort((a, b) => head.weight(i, b) - head.weight(i, a)).slice(0, count));
}

// One matrix as rectangles with tokens around it. `number` gives what a cell shows, `color` its colour.
function matrixPicture(view, name, number, color, digits) {
  const {head} = view, {rows, columns} = head;
  const cell = Math.max(4, Math.min(34, Math.floor(560 / Math.max(rows, columns))));
  const words = cell >= 9, numbers = cell >= 30;
  const letters = list => Math.min(14, Math.max(3, ...list.map(word => [...word].length)));
  const left = words ? 14 + 7.5 * letters(head.queries) : 24, top = words ? 14 + 6.5 * letters(head.keys) : 24;
  const width = left + columns * cell + (words ? 4 + 4 * letters(head.keys) : 2), height = top + rows * cell + 2;
  const svg = node("svg:svg", {viewBox: `0 0 ${width} ${height}`, width, height, class: "ha-map", tabindex: 0, role: "img",
    "aria-label": `${name}: rows are queries, columns are keys; walk with the arrow keys`});
  svg.append(node("svg:title", {}, `${view.record.name}, ${name}`));
  const size = Math.min(13, cell - 1);
  if (words) {
    head.queries.forEach((word, i) => svg.append(node("svg:text", {x: left - 6, y: top + (i + 0.5) * cell + size * 0.35,
      "text-anchor": "end", class: "ha-word", "font-size": size}, node("svg:title", {}, word), short(word))));
    head.keys.forEach((word, j) => svg.append(node("svg:text", {x: 0, y: 0, class: "ha-word", "font-size": size,
      transform: `translate(${left + (j + 0.5) * cell + size * 0.35} ${top - 6}) rotate(-60)`},
      node("svg:title", {}, word), short(word))));
  } else {
    svg.append(node("svg:text", {x: left, y: top - 8, class: "ha-axis"}, "keys →"),
               node("svg:text", {x: -top, y: left - 8, class: "ha-axis", "text-anchor": "end", transform: "rotate(-90)"}, "queries"));
  }
  const cells = [];
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j) {
      const x = left + j * cell, y = top + i * cell;
      if (!head.allows(i, j)) {
        if (cell >= 9) svg.append(node("svg:circle", {cx: x + cell / 2, cy: y + cell / 2, r: 1.2, class: "ha-dot"}));
        continue;
      }
      const value = number(i, j), fill = color(value);
      const rect = node("svg:rect", {x, y, width: cell - (cell > 8 ? 1 : 0), height: cell - (cell > 8 ? 1 : 0), fill});
      rect.append(node("svg:title", {}, `${head.queries[i]} → ${head.keys[j]}: ${shown(value)}`));
      svg.append(rect);
      if (numbers) {
        svg.append(node("svg:text", {x: x + cell / 2, y: y + cell / 2 + 4, "text-anchor": "middle", class: "ha-number",
          "font-size": 11, fill: textOn(fill)}, shown(value, digits)));
      }
    }
  }
  const cursor = node("svg:rect", {class: "ha-cursor", width: cell, height: cell, visibility: "hidden"});
  const band = node("svg:rect", {class: "ha-band", x: left - 1, width: columns * cell + 1, height: cell, visibility: "hidden"});
  svg.append(band, cursor);
  const place = event => {
    const box = svg.getBoundingClientRect(), scale = width / box.width;
    const i = Math.floor(((event.clientY - box.top) * scale - top) / cell);
    const j = Math.floor(((event.clientX - box.left) * scale - left) / cell);
    if (i < 0 || i >= rows || j >= columns) return null;
    return j < 0 ? [i, null] : [i, j];
  };
  svg.addEventListener("mousemove", event => view.hover(...(place(event) ?? [null, null])));
  svg.addEventListener("mouseleave", () => view.hover(null, null));
  svg.addEventListener("click", event => { const at = place(event); if (at) view.lock(...at); });
  const show = () => {
    const i = view.query, j = view.hoveredKey ?? view.state.key;
    band.setAttribute("visibility", i === null ? "hidden" : "visible");
    if (i !== null) band.setAttribute("y", top + i * cell - 0.5);
    const at = i !== null && j !== null;
    cursor.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) {
      cursor.setAttribute("x", left + j * cell - 0.5);
      cursor.setAttribute("y", top + i * cell - 0.5);
    }
  };
  view.panel.addEventListener("ha-hover", () => svg.isConnected && show());
  show();
  return svg;
}

function scrolled(...pictures) { return node("div", {class: "ha-scroll"}, ...pictures); }

function drawMap(view) {
  const {head} = view;
  return scrolled(matrixPicture(view, "weights", (i, j) => head.weight(i, j), weightColor, 2), scale());
}

// What the colours of weights mean.
function scale() {
  const svg = node("svg:svg", {viewBox: "0 0 140 34", width: 140, height: 34, class: "ha-scale", "aria-hidden": "true"});
  for (let k = 0; k < 28; ++k) {
    svg.append(node("svg:rect", {x: k * 5, y: 0, width: 5, height: 12, fill: weightColor(k / 27)}));
  }
  svg.append(node("svg:text", {x: 0, y: 28, class: "ha-axis"}, "0"),
             node("svg:text", {x: 140, y: 28, class: "ha-axis", "text-anchor": "end"}, "weight 1"));
  return svg;
}

function largestOf(head, number) {
  let largest = 0;
  for (let i = 0; i < head.rows; ++i) {
    for (let j = 0; j < head.columns; ++j) {
      const value = Math.abs(number(i, j));
      if (Number.isFinite(value) && value > largest) largest = value;
    }
  }
  return largest;
}

// Scores, what softmax sees, weights.
function drawSteps(view) {
  const {head} = view, {record} = view;
  const score = (i, j) => head.score(i, j), masked = (i, j) => head.masked(i, j);
  const largest = largestOf(head, score), after = largestOf(head, masked);
  // Before the mask nothing is masked.
  const unmasked = Object.create(view, {head: {value: Object.assign(Object.create(head), {allows: () => true})}});
  const caption = (text, picture) => node("figure", {class: "ha-step"}, node("figcaption", {}, text), scrolled(picture));
  const scaleText = record.scale === 1 ? "Scores q·k" : `Scores q·k × ${Number(record.scale.toPrecision(6))}`;
  const divided = record.temperature === 1 || record.temperature === 0 ? "" : `, divided by the temperature ${record.temperature}`;
  return node("div", {class: "ha-steps"},
    caption(`1. ${scaleText}`, matrixPicture(unmasked, "scores", score, v => signColor(v, largest), 1)),
    caption(`2. Masked${divided}: what softmax sees`, matrixPicture(view, "masked scores", masked, v => signColor(v, after), 1)),
    caption("3. Weights: the softmax of each row", matrixPicture(view, "weights", (i, j) => head.weight(i, j), weightColor, 2)));
}

// A vector as a strip of colours; `numbers` may be null.
function strip(numbers, largest, label) {
  const cell = Math.max(3, Math.min(10, 320 / numbers.length));
  const svg = node("svg:svg", {viewBox: `0 0 ${numbers.length * cell} 14`, width: numbers.length * cell, height: 14, role: "img",
    "aria-label": label, class: "ha-strip"});
  numbers.forEach((value, c) => {
    const rect = node("svg:rect", {x: c * cell, y: 0, width: cell, height: 14, fill: signColor(value, largest)});
    rect.append(node("svg:title", {}, `[${c}] ${shown(value)}`));
    svg.append(rect);
  });
  return svg;
}

// The arithmetic of one query: q·k, scale, mask, softmax, weighted sum, a row for each key.
function drawQuery(view) {
  const {head, record} = view;
  const i = view.state.query ?? head.rows - 1;
  const hasVectors = head.has("Q");
  const vector = (part, t, width) => Array.from({length: width}, (_, c) => head.entry(part, t, c));
  const q = hasVectors ? vector("Q", i, record.d_k) : null;
  const largest = Math.max(...(q ?? []).map(Math.abs), ...(hasVectors ? Array.from({length: head.columns}, (_, j) =>
    Math.max(...vector("K", j, record.d_k).map(Math.abs))) : []), 0);
  const pick = node("select", {"aria-label": "Query", onchange: event => view.go({query: Number(event.target.value), key: null})},
    ...head.queries.map((word, t) => node("option", {value: t, selected: t === i}, `${t} ${short(word, 20)}`)));
  const headings = ["key", ...(hasVectors ? ["k", "q ⊙ k"] : []), "Σ = q·k", `× ${Number(record.scale.toPrecision(4))}`, "masked",
                    "softmax", ...(head.has("V") ? ["v"] : [])];
  const body = head.keys.map((word, j) => {
    const allowed = head.allows(i, j);
    const k = hasVectors ? vector("K", j, record.d_k) : null;
    const products = k?.map((value, c) => value * q[c]);
    const cells = [node("th", {scope: "row"}, short(word, 15))];
    if (hasVectors) {
      cells.push(node("td", {}, strip(k, largest, `k of ${word}`)),
                 node("td", {}, strip(products, Math.max(...products.map(Math.abs)), `q times k of ${word}`)));
    }
    cells.push(node("td", {}, shown(head.product(i, j))), node("td", {}, shown(head.score(i, j))),
               node("td", {}, allowed ? shown(head.masked(i, j)) : "−∞"));
    const weight = head.weight(i, j);
    cells.push(node("td", allowed ? {class: "ha-weight", style: `background:${weightColor(weight)};color:${textOn(weightColor(weight))}`} : {},
      allowed ? shown(weight) : "masked"));
    if (head.has("V")) {
      const v = vector("V", j, record.d_v);
      cells.push(node("td", {}, strip(v, Math.max(...v.map(Math.abs)), `v of ${word}`)));
    }
    const row = node("tr", {class: allowed ? "" : "ha-masked", tabindex: 0, "aria-selected": view.state.key === j,
      onclick: () => view.go({query: i, key: j}), onkeydown: event => { if (event.key === "Enter") view.go({query: i, key: j}); }}, ...cells);
    return row;
  });
  const table = node("table", {class: "ha-arithmetic"}, node("thead", {}, node("tr", {}, ...headings.map(text => node("th", {scope: "col"}, text)))),
    node("tbody", {}, ...body));
  const parts = [node("p", {}, "Query ", pick, ...(q ? [" q = ", strip(q, largest, "q")] : [])), scrolled(table), node("p", {class: "ha-sentence"}, sentence(view, i))];
  if (head.has("V")) {
    const output = Array.from({length: record.d_v}, (_, c) => {
      let sum = 0;
      for (let j = 0; j < head.columns; ++j) sum += head.weight(i, j) * head.entry("V", j, c);
      return sum;
    });
    parts.push(node("p", {}, "output = Σ weight·v = ", strip(output, Math.max(...output.map(Math.abs)), "output"),
      ` [${output.slice(0, 4).map(v => shown(v)).join(", ")}${output.length > 4 ? ", …" : ""}]`));
  }
  return node("div", {class: "ha-query"}, ...parts);
}

const bracketed = number => number < 0 ? `(${shown(number)})` : shown(number);

// The row's arithmetic in words, for the key that is chosen or, else, the strongest.
function sentence(view, i) {
  const {head, record} = view;
  const j = view.state.key ?? [...largestKeys(head, i, 1)][0];
  if (j === undefined) return `${head.queries[i]} may look at nothing: its weights and its output are zero.`;
  if (!head.allows(i, j)) return `${head.queries[i]} may not look at ${head.keys[j]}: its score counts as −∞, and exp(−∞) = 0.`;
  let text = `${head.queries[i]} at ${head.keys[j]}: q·k = `;
  if (head.has("Q")) {
    const terms = Array.from({length: Math.min(3, record.d_k)}, (_, c) => `${shown(head.entry("Q", i, c), 2)}·${head.entry("K", j, c) < 0 ? `(${shown(head.entry("K", j, c), 2)})` : shown(head.entry("K", j, c), 2)}`);
    text += terms.join(" + ") + (record.d_k > 3 ? " + …" : "") + " = ";
  }
  text += `${shown(head.product(i, j))}; times ${Number(record.scale.toPrecision(6))} it is ${shown(head.score(i, j))}`;
  let total = 0, most = -Infinity;
  for (let k = 0; k < head.columns; ++k) most = Math.max(most, head.masked(i, k));
  for (let k = 0; k < head.columns; ++k) total += Math.exp(head.masked(i, k) - most);
  return text + `; exp(${shown(head.masked(i, j))} − ${bracketed(most)}) / ${shown(total)} = ${shown(head.weight(i, j))}, ` +
    "where the row's largest score is subtracted first and the divisor is the sum over its keys.";
}
