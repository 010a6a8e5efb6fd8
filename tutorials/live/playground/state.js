// The state of the page: all numbers as the reader typed them. Its text is the fragment of the link,
// and what heed reads (state.h says how it is written).

const matrixText = (rows) => rows.map((row) => row.map(encodeURIComponent).join(",")).join(";");
const maskText = (rows) => rows.map((row) => row.map(Number).join("")).join(";");

function textOf(state) {
  const parts = [`Q=${matrixText(state.Q)}`, `K=${matrixText(state.K)}`, `V=${matrixText(state.V)}`];
  if (state.mask) parts.push(`mask=${maskText(state.mask)}`);
  if (!state.scale) parts.push("scale=0");
  if (state.temperature !== "1") parts.push(`temperature=${encodeURIComponent(state.temperature)}`);
  if (state.heads !== "1") parts.push(`heads=${encodeURIComponent(state.heads)}`);
  if (state.G) parts.push(`G=${matrixText(state.G)}`);
  return parts.join("&");
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;  // bytes that are no UTF-8
  }
}

// Of a text that heed has not called broken.
function stateOf(text) {
  const parts = Object.fromEntries(text.split("&").map((part) => part.split(/=(.*)/s)));
  const matrix = (part) => part.split(";").map((row) => row.split(",").map(decoded));
  return {
    Q: matrix(parts.Q), K: matrix(parts.K), V: matrix(parts.V),
    mask: parts.mask ? parts.mask.split(";").map((row) => [...row].map((bit) => bit === "1")) : null,
    scale: parts.scale !== "0",
    temperature: decoded(parts.temperature ?? "1"),
    heads: decoded(parts.heads ?? "1"),
    G: parts.G ? matrix(parts.G) : null,
  };
}

const rowsOf = (matrix) => matrix.length;
const columnsOf = (matrix) => matrix[0].length;

// The first rows and columns; what is new is `fill`.
function resized(matrix, rows, columns, fill) {
  return Array.from({length: rows}, (_, i) =>
    Array.from({length: columns}, (_, j) => matrix[i]?.[j] ?? fill));
}

// Mask and upstream gradient have the sizes of what they go with.
function fit(state) {
  const T_q = rowsOf(state.Q), T_k = rowsOf(state.K);
  if (state.mask) state.mask = resized(state.mask, T_q, T_k, true);
  if (state.G) state.G = resized(state.G, T_q, columnsOf(state.V), "0");
}

// Query i sees the keys up to its own; with fewer queries than keys, the last query is the last key.
function causal(T_q, T_k) {
  return Array.from({length: T_q}, (_, i) => Array.from({length: T_k}, (_, j) => j <= i + T_k - T_q));
}
