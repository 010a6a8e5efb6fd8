// All heads of all layers at a glance, and saving a picture.

Object.assign(View.prototype, {
  drawModel() {
    const {all} = this.records;
    const {sequence} = this.state;
    const grid = element("div", {class: "ha-grid", role: "group",
                                 "aria-label": "All heads: arrow keys walk, Enter opens one"});
    const rows = [];
    all.forEach((record, layer) => {
      const buttons = Array.from({length: record.heads}, (_, head) => {
        const button = this.thumbnail(record, layer, head);
        button.addEventListener("click", () => this.go({view: "head", layer, heads: [head],
                                                        query: null, key: null}));
        button.addEventListener("keydown", (event) => this.walkGrid(event, rows, layer, head));
        return button;
      });
      rows.push(buttons);
      const name = element("span", {class: "ha-layer", title: record.name},
        ...(record.name || `call ${layer}`).split(/(?<=\.)/).flatMap((part) => [part, element("wbr")]));
      grid.append(element("div", {class: "ha-grid-row"}, name,
                          element("div", {class: "ha-thumbs"}, ...buttons)));
    });
    const here = rows[this.state.layer]?.[this.state.heads[0]] ?? rows[0][0];
    here.tabIndex = 0;
    const scale = picture(240, 20, "Colours of the weights, from 0 to 1");
    scale.append(legend(0, 4, "0", "1", weightRgb, all.some((record) => record.mask)));
    this.refresh = null;
    this.panel.replaceChildren(element("div", {class: "ha-scroll"}, grid), scale);
    this.thumbnailsOf = {all, sequence, rows};
  },

  thumbnail(record, layer, head) {
    const place = Math.min(this.state.sequence, record.sequences - 1) * record.heads + head;
    const weights = this.records.part(record, "weights", place);
    const allowed = this.records.allowed(record, place);
    const canvas = element("canvas", {"aria-hidden": "true"});
    const colors = Array.from({length: 256}, (_, i) => weightRgb(i / 255));
    const rgbOf = (i) => (allowed && !allowed[i] ? null
      : colors[Math.round(255 * Math.min(Math.max(weights[i], 0), 1))] ?? null);
    painted(canvas, record.T_q, record.T_k, rgbOf);
    const name = `layer ${layer}, ${record.name}` +
      (record.heads > 1 ? `, head ${head}` : "");
    const button = element("button", {type: "button", class: "ha-thumb", tabindex: -1,
                                      "aria-label": name, "data-focus": `thumb ${layer} ${head}`},
                           canvas, element("span", {}, String(head)));
    const tell = () => { this.line.textContent = name[0].toUpperCase() + name.slice(1) + "."; };
    button.addEventListener("pointerenter", tell);
    button.addEventListener("focus", tell);
    return button;
  },

  walkGrid(event, rows, layer, head) {
    const [down, right] = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1],
                           ArrowRight: [0, 1]}[event.key] ?? [0, 0];
    const next = rows[layer + down]?.[head + right];
    if (!next || !(down || right)) return;
    for (const button of rows.flat()) button.tabIndex = button === next ? 0 : -1;
    next.focus();
    event.preventDefault();
  },

  // Everything the panel shows as one SVG, which needs nothing of this page.
  pictureText() {
    const whole = this.state.view === "model" ? this.modelPicture()
                                              : this.joined([...this.panel.querySelectorAll("svg")]);
    const style = getComputedStyle(this.section);
    const background = getComputedStyle(document.documentElement).backgroundColor;
    const surface = /rgba\(.*, 0\)|transparent/.test(background) ? (isDark() ? "#16171a" : "#ffffff")
                                                                 : background;
    whole.setAttribute("xmlns", svgNamespace);
    whole.setAttribute("color", style.color);
    whole.setAttribute("font-family", "system-ui, sans-serif");
    whole.prepend(shape("rect", {width: "100%", height: "100%", fill: surface}));
    for (const one of whole.querySelectorAll("*")) {
      for (const name of ["tabindex", "role", "data-focus", "data-say", "data-side", "data-index"]) {
        one.removeAttribute(name);
      }
    }
    return new XMLSerializer().serializeToString(whole);
  },

  joined(pictures) {
    let x = 0;
    const whole = picture(0, 0, this.section.querySelector(".ha-title").textContent);
    for (const one of pictures) {
      const copy = one.cloneNode(true);
      copy.setAttribute("x", x + 12);
      copy.setAttribute("y", 30);
      whole.append(textAt(x + 12, 20, one.getAttribute("aria-label")), copy);
      x += Number(one.getAttribute("width")) + 24;
    }
    const height = Math.max(...pictures.map((one) => Number(one.getAttribute("height")))) + 40;
    return this.sized(whole, Math.max(x, 340), height);
  },

  modelPicture() {
    const whole = picture(0, 0, this.section.querySelector(".ha-title").textContent);
    this.thumbnailsOf.rows.forEach((row, layer) => {
      whole.append(textAt(8, 46 + 72 * layer, cut(this.records.all[layer].name, 22)));
      row.forEach((button, head) => whole.append(shape("image", {
        x: 170 + 72 * head, y: 12 + 72 * layer, width: 64, height: 64, preserveAspectRatio: "none",
        style: "image-rendering: pixelated", href: button.querySelector("canvas").toDataURL()})));
    });
    const columns = Math.max(...this.thumbnailsOf.rows.map((row) => row.length));
    return this.sized(whole, 180 + 72 * columns, 20 + 72 * this.thumbnailsOf.rows.length);
  },

  sized(svg, width, height) {
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    return svg;
  },

  savePicture() {
    const file = new Blob([this.pictureText()], {type: "image/svg+xml"});
    const link = element("a", {href: URL.createObjectURL(file),
                               download: `${this.section.id}-${this.state.view}.svg`});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  },
});
