// The tables that heed computed.

function captionsOf(state) {
  const root = state.scale ? "/√d_k" : "", divided = state.temperature === "1" ? "" : ` / ${state.temperature}`;
  const L = state.G ? "∂L/∂output = G" : "L = the sum of the output";
  return {
    scores: `Q·Kᵀ${root}`,
    weights: `softmax(scores${divided}), row by row${state.mask ? "; blocked (·): scores −∞" : ""}`,
    output: "weights·V",
    "∂L/∂Q": L, "∂L/∂K": L, "∂L/∂V": L,
  };
}

const labelsOf = {
  scores: ["q", "k"], weights: ["q", "k"], output: ["q", "d"],
  "∂L/∂Q": ["q", "d"], "∂L/∂K": ["k", "d"], "∂L/∂V": ["k", "d"],
};

// In per cent: weights from 0 to 1, others beside the largest of the table.
function strength(number, table) {
  if (typeof number !== "number") return 0;
  const finite = table.numbers.filter((other) => typeof other === "number");
  const most = table.name === "weights" ? 1 : Math.max(...finite.map(Math.abs));
  return most ? Math.round(100 * Math.abs(number) / most) : 0;
}

function numberCell(table, at, blocked) {
  const number = table.numbers[at], shown = table.shown[at].replaceAll("-", "−");
  if (blocked && table.name === "weights") return element("td", {class: "blocked", title: "masked"}, "·");
  const kind = blocked ? "unused" : number < 0 ? "n" : "";
  return element("td", {class: kind, style: `--p: ${strength(number, table)}`, title: String(number)}, shown);
}

// One head, or the only one.
function tableOf(table, head, state) {
  const [T, columns] = table.shape.slice(-2), [row, column] = labelsOf[table.name];
  const isPair = table.name === "scores" || table.name === "weights";
  const rows = Array.from({length: T}, (_, i) => element("tr", {}, [
    element("th", {scope: "row"}, `${row}${i}`),
    ...Array.from({length: columns}, (_, j) =>
      numberCell(table, (head * T + i) * columns + j, isPair && state.mask && !state.mask[i][j])),
  ]));
  return element("table", {}, [headRow(column, columns), element("tbody", {}, rows)]);
}

function figureOf(table, state) {
  const heads = table.shape.length === 3 ? table.shape[0] : 1;
  const role = {"∂L/∂Q": "Q", "∂L/∂K": "K", "∂L/∂V": "V"}[table.name] ?? table.name;
  const parts = Array.from({length: heads}, (_, head) => [
    heads > 1 ? element("div", {class: "shape"}, `head ${head}`) : "",
    element("div", {class: "scroll"}, tableOf(table, head, state)),
  ]);
  return element("figure", {"data-table": table.name}, [
    element("figcaption", {}, [element("span", {class: `name role-${role}`}, table.name), " ",
      element("span", {class: "shape"}, `[${table.shape.join(", ")}]`), " ",
      element("small", {}, captionsOf(state)[table.name])]),
    ...parts.flat(),
  ]);
}

// What numbers alone do not say.
function remarkOn(answer, state) {
  const remarks = [];
  const empty = (state.mask ?? []).flatMap((row, i) => row.includes(true) ? [] : [i]);
  if (empty.length) {
    const queries = `${empty.length > 1 ? "Queries" : "Query"} ${empty.join(", ")}`;
    remarks.push(`${queries} may attend to nothing: weights, output and gradient are 0, where PyTorch `
      + "gives NaN.");
  }
  if (Number(state.temperature) === 0) {
    remarks.push("Temperature 0 is a hard lookup: the largest score has all weight, and Q and K get no "
      + "gradient.");
  }
  if (answer.tables.some((table) => table.numbers.some((number) => typeof number === "string"))) {
    remarks.push("inf and nan: something became larger than a float can be, 3.4028·10³⁸.");
  }
  return remarks.join(" ");
}
