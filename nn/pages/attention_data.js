// What a view is drawn from: the numbers of a recording, as they were computed. They lie in the page
// as base64, a text for each matrix, and are decoded when somebody looks at it.

const decoded = new Map();

function numbersOf(text, bits) {
  if (!decoded.has(text)) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    decoded.set(text, bits === 64 ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer));
  }
  return decoded.get(text);
}

// One matrix of weights [T_q, T_k] of a record, and what it was made from: a head of one sequence.
class Head {
  constructor(view, layer, matrix) {
    this.record = view.records[layer];
    this.bits = view.bits;
    this.matrix = matrix;
    [this.rows, this.columns] = this.record.shape;
    const heads = this.record.heads;
    this.sequence = Math.floor(matrix / heads);
    this.number = matrix % heads;
    const pick = lists => lists.length === 0 ? null : lists[lists.length === 1 ? 0 : this.sequence];
    const positions = length => Array.from({length}, (_, i) => String(i));
    this.queries = pick(this.record.queries) ?? positions(this.rows);
    this.keys = pick(this.record.keys) ?? positions(this.columns);
  }

  has(part) { return Array.isArray(this.record[part]); }

  // Entry [i, c] of Q, K or V, or null if they were not kept.
  entry(part, i, c) {
    const width = part === "V" ? this.record.d_v : this.record.d_k;
    return this.has(part) ? numbersOf(this.record[part][this.matrix], this.bits)[i * width + c] : null;
  }

  allows(i, j) {
    const mask = this.record.mask;
    if (mask === "none") return true;
    if (mask === "causal") return j <= i + this.columns - this.rows;
    const place = i * this.columns + j;
    return mask.grids[mask.of[this.matrix]][place] === "1";
  }

  weight(i, j) {
    if (!this.allows(i, j)) return 0;
    const weights = numbersOf(this.record.weights[this.matrix], this.bits);
    if (this.record.mask !== "causal") return weights[i * this.columns + j];
    // Only what a query may attend to is there: row i has i + 1 entries, and T_k - T_q more.
    const more = this.columns - this.rows;
    return weights[i * (i + 1) / 2 + i * more + j];
  }

  // q·k, before it is scaled; to the digits shown, whatever the order of the sum.
  product(i, j) {
    if (!this.has("Q")) return this.has("scores") ? this.score(i, j) / this.record.scale : null;
    let sum = 0;
    for (let c = 0; c < this.record.d_k; ++c) sum += this.entry("Q", i, c) * this.entry("K", j, c);
    return sum;
  }

  // Scaled, before the mask: as recorded, or q·k·scale if only these were kept.
  score(i, j) {
    if (this.has("scores")) {
      return numbersOf(this.record.scores[this.matrix], this.bits)[i * this.columns + j];
    }
    return this.has("Q") ? this.product(i, j) * this.record.scale : null;
  }

  hasScores() { return this.has("scores") || this.has("Q"); }

  // What softmax sees.
  masked(i, j) {
    return this.allows(i, j) ? this.score(i, j) / (this.record.temperature || 1) : -Infinity;
  }
}

function shown(number, digits = 4) {
  if (number === null) return "not kept";
  if (number === -Infinity) return "−∞";
  return number.toFixed(digits).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
}
