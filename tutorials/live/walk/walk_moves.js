// Which step comes next: over calls, out of them, and past the rounds of folded loops.

class Moves {
  constructor(record) {
    this.steps = record.steps;
    this.loops = record.loops.map((loop) => ({...loop, folded: true}));
    this.last = this.steps.length - 1;
  }
  depth(i) { return this.steps[i].stack.length; }

  // A folded loop shows its first round, and the step in which it ends.
  isHidden(i) {
    return this.loops.some(({folded, rounds}) => folded && rounds[1] <= i && i < rounds.at(-1));
  }
  shown() {
    return this.steps.map((_, i) => i).filter((i) => !this.isHidden(i));
  }
  // From i in this direction, the first step for which it holds; i itself where there is none.
  find(i, by, holds) {
    for (let j = i + by; 0 <= j && j <= this.last; j += by) {
      if (!this.isHidden(j) && holds(j)) return j;
    }
    return i;
  }
  nearest(i) {
    return this.isHidden(i) ? this.find(i, 1, () => true) : i;
  }
  into(i) { return this.find(i, 1, () => true); }
  back(i) { return this.find(i, -1, () => true); }
  over(i) { return this.find(i, 1, (j) => this.depth(j) <= this.depth(i)); }
  out(i) { return this.find(i, 1, (j) => this.depth(j) < this.depth(i)); }

  // The next time at this line, or else the first time.
  atLine(i, file, line) {
    const isThere = (j) => this.steps[j].file === file && this.steps[j].line === line;
    const later = this.find(i, 1, isThere);
    return later !== i ? later : this.find(-1, 1, isThere);
  }
  // The step in which this call stood before it went into the one below it, or -1.
  ofCaller(i, depth, name) {
    if (depth === this.depth(i)) return i;
    return this.steps.findLastIndex((step, j) => j < i && this.depth(j) === depth && step.function === name);
  }
  loopsAt(file, line) {
    return this.loops.filter((loop) => {
      const step = this.steps[loop.rounds[0]];
      return step.file === file && step.line === line;
    });
  }
  // The innermost loop with this step in it, if any.
  loopAround(i) {
    return this.loops.filter(({rounds}) => rounds[0] <= i && i <= rounds.at(-1))
      .sort((a, b) => b.rounds[0] - a.rounds[0])[0];
  }
}

// k = 0 … 4, 5 times
function roundsOf(loop) {
  const times = `${loop.rounds.length - 1} times`;
  if (!loop.name) return times;
  return `${loop.name} = ${loop.values[0]} … ${loop.values.at(-1)}, ${times}`;
}
