// The mask, painted by clicking, by dragging, or with arrow keys and space.

class MaskField {
  // `painted(i, j, allowed)` for each entry that changes.
  constructor(mask, painted) {
    this.mask = mask;
    this.painted = painted;
    this.brush = null;  // what a drag paints
    const rows = mask.map((row, i) => element("tr", {}, [
      element("th", {scope: "row"}, `q${i}`),
      ...row.map((_, j) => element("td", {class: "entry"}, this.cell(i, j))),
    ]));
    this.table = element("table", {
      "aria-label": "Mask: a row for each query, a column for each key",
      onpointerover: (event) => this.drag(event), onkeydown: (event) => this.walk(event),
    }, [headRow("k", columnsOf(mask)), element("tbody", {}, rows)]);
  }

  cell(i, j) {
    const button = element("button", {
      type: "button", class: "cell", "data-row": i, "data-column": j,
      tabindex: i + j === 0 ? 0 : -1,
      onpointerdown: (event) => this.begin(event, i, j),
      onclick: (event) => event.detail === 0 && this.paint(i, j, !this.mask[i][j]),  // by a key
    });
    this.show(button, i, j);
    return button;
  }

  show(button, i, j) {
    const allowed = this.mask[i][j];
    button.setAttribute("aria-pressed", String(allowed));
    button.setAttribute("aria-label", `query ${i} may attend to key ${j}`);
    button.textContent = allowed ? "×" : "·";
  }

  at(i, j) {
    return this.table.querySelector(`[data-row="${i}"][data-column="${j}"]`);
  }

  paint(i, j, allowed) {
    if (this.mask[i][j] === allowed) return;
    this.mask[i][j] = allowed;
    this.show(this.at(i, j), i, j);
    this.painted(i, j, allowed);
  }

  begin(event, i, j) {
    // A finger would keep all that follows at the cell where it began.
    if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    this.brush = !this.mask[i][j];
    this.paint(i, j, this.brush);
    addEventListener("pointerup", () => { this.brush = null; }, {once: true});
  }

  drag(event) {
    const {row, column} = event.target.dataset;
    if (this.brush !== null && row !== undefined) this.paint(+row, +column, this.brush);
  }

  walk(event) {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (!step) return;
    event.preventDefault();
    const next = this.at(+event.target.dataset.row + step[0], +event.target.dataset.column + step[1]);
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
