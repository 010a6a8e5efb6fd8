// Colours, matrices, and pictures to keep.

const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

// From 0 to 1 in even steps of lightness, as viridis has; on a light page it begins light.
const weightStops = {
  light: ["fbfcf3", "d8ecb0", "86cf8f", "35a58b", "2a788e", "3d4f89", "441a63"],
  dark: ["1d1a2b", "46296f", "3f4f8b", "2c768e", "24a086", "7fd05a", "f3e64e"],
};
// Negative, zero, positive: blue and orange are told apart by nearly all eyes.
const signStops = {
  light: ["1f5fa8", "8fb8e0", "f6f5f1", "f0b070", "b85400"],
  dark: ["7db8f5", "38648f", "25252b", "8c5526", "ffa64d"],
};
const channels = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));

function between(stops, part) {
  const place = Math.min(Math.max(part, 0), 1) * (stops.length - 1);
  const below = Math.min(Math.floor(place), stops.length - 2);
  const [from, to] = [channels(stops[below]), channels(stops[below + 1])];
  return from.map((value, i) => Math.round(value + (to[i] - value) * (place - below)));
}
const theme = () => (isDark() ? "dark" : "light");
const weightRgb = (weight) => between(weightStops[theme()], weight);
const signRgb = (value, most) => between(signStops[theme()], most > 0 ? 0.5 + value / most / 2 : 0.5);
const css = (rgb) => `rgb(${rgb.join(",")})`;
// Black or white, whichever is easier to read on the colour.
function inkOn(rgb) {
  const [r, g, b] = rgb.map((value) => (value / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.2 ? "#111" : "#fff";
}

const headColors = {
  light: ["#0b62a8", "#c25200", "#00785a", "#a83a78", "#7a5c00", "#5a4fb8", "#00748a", "#9c2f2f"],
  dark: ["#62b0f2", "#ff9d4d", "#3ec79a", "#ee8fc2", "#e0bf45", "#a79df5", "#55c5dd", "#f28b82"],
};
const headColor = (place) => headColors[theme()][place % 8];

// The largest magnitude of finite numbers.
function magnitude(numbers, counts = () => true) {
  let most = 0;
  for (let i = 0; i < numbers.length; ++i) {
    if (counts(i) && Number.isFinite(numbers[i])) most = Math.max(most, Math.abs(numbers[i]));
  }
  return most;
}

const characters = (text) => [...text];
function cut(text, most) {
  const all = characters(text);
  return all.length > most ? all.slice(0, most - 1).join("") + "\u2026" : text;
}
// How wide a text is, and as much of it as fits into so many pixels.
const ruler = document.createElement("canvas").getContext("2d");
function widthOf(text, size) {
  ruler.font = `${size}px system-ui, sans-serif`;
  return ruler.measureText(text).width;
}
function fit(text, width, size) {
  const all = characters(text);
  let most = Math.min(all.length, Math.ceil(width / size * 4));
  if (most === all.length && widthOf(text, size) <= width) return text;
  while (most > 1 && widthOf(all.slice(0, most).join("") + "\u2026", size) > width) --most;
  return all.slice(0, most).join("") + "\u2026";
}
function textAt(x, y, text, attributes = {}) {
  return shape("text", {x, y, "font-size": 12, fill: "currentColor", ...attributes}, text);
}

// A picture of that size; its name is read aloud and shown by readers of the file.
function picture(width, height, name, attributes = {}) {
  return shape("svg", {width, height, viewBox: `0 0 ${width} ${height}`, class: "ha-svg",
                       "font-family": "system-ui, sans-serif", "aria-label": name, ...attributes},
               shape("title", {}, name));
}

// The scale below a picture: colours from `from` to `to`.
function legend(x, y, from, to, colorAt, masked) {
  const group = shape("g", {});
  for (let i = 0; i < 24; ++i) {
    group.append(shape("rect", {x: x + 30 + i * 5, y, width: 5.5, height: 10,
                                fill: css(colorAt((i + 0.5) / 24))}));
  }
  group.append(textAt(x + 25, y + 9, from, {"font-size": 11, "text-anchor": "end"}),
               textAt(x + 155, y + 9, to, {"font-size": 11}));
  if (masked) {
    const after = x + 165 + to.length * 6.5;
    group.append(shape("rect", {x: after, y, width: 12, height: 10, fill: "currentColor",
                                "fill-opacity": 0.12}),
                 textAt(after + 16, y + 9, "masked", {"font-size": 11}));
  }
  return group;
}

// How a matrix of the page is laid out: cells as large as fit, labels in what is left.
function matrixLayout(rows, columns, width) {
  const widest = (tokens) =>
    Math.min(100, Math.max(...tokens.map((token) => widthOf(cut(token, 30), 12))));
  const left = 12 + Math.ceil(widest(rows));
  const cell = Math.max(7, Math.min(44, Math.floor((width - left - 20) / columns.length)));
  const flat = columns.every((token) => widthOf(cut(token, 30), 12) < cell - 4);
  const top = flat ? 26 : 12 + Math.ceil(widest(columns));
  const labels = Math.min(12, cell + 1);
  return {left, top, cell, flat, labels, width: Math.max(left + cell * columns.length + 8, left + 230),
          height: top + cell * rows.length + 34};
}

// Paints one pixel for each entry: for thumbnails and for matrices with too many cells for shapes.
function painted(canvas, rows, columns, rgbOf) {
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  for (let i = 0; i < rows * columns; ++i) {
    const rgb = rgbOf(i);
    for (let c = 0; rgb && c < 3; ++c) image.data[4 * i + c] = rgb[c];
    image.data[4 * i + 3] = rgb ? 255 : 0;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

// A matrix as a heat map. matrix: {name, rows, columns, numbers, allowed, rgbOf(number), from, to}.
// It has the keyboard's focus as a whole; look(query, key) is called where the pointer or an arrow
// key goes, lock(query, key) for a click or Enter.
function drawMatrix(matrix, width, at, look, lock) {
  const {rows, columns, numbers, allowed} = matrix;
  const layout = matrixLayout(rows, columns, width);
  const {left, top, cell} = layout;
  const svg = picture(layout.width, layout.height, matrix.name, {
    tabindex: 0, role: "application", "data-focus": "matrix " + matrix.name,
    "aria-roledescription": "heat map, arrow keys walk, Enter keeps a cell",
  });
  const cells = shape("g", {class: "ha-cells"},
    shape("rect", {x: left, y: top, width: cell * columns.length, height: cell * rows.length,
                   fill: "currentColor", "fill-opacity": 0.1}));
  const color = (i) => (allowed && !allowed[i] ? null : matrix.rgbOf(numbers[i]));
  if (numbers.length > 40000) {
    const image = painted(document.createElement("canvas"), rows.length, columns.length, color);
    cells.append(shape("image", {x: left, y: top, width: cell * columns.length,
      height: cell * rows.length, href: image.toDataURL(), preserveAspectRatio: "none",
      style: "image-rendering: pixelated"}));
  } else {
    for (let i = 0; i < numbers.length; ++i) {
      const x = left + cell * (i % columns.length), y = top + cell * Math.floor(i / columns.length);
      const rgb = color(i);
      const middle = {"text-anchor": "middle", "pointer-events": "none"};
      if (!rgb) {
        if (cell >= 20) cells.append(textAt(x + cell / 2, y + cell / 2 + 4, "\u00b7",
                                            {...middle, opacity: 0.6}));
        continue;
      }
      cells.append(shape("rect", {x, y, width: cell - (cell > 10 ? 1 : 0),
                                  height: cell - (cell > 10 ? 1 : 0), fill: css(rgb)}));
      if (cell >= 34) {
        cells.append(textAt(x + cell / 2, y + cell / 2 + 4, minus(numbers[i].toFixed(2)),
                            {...middle, "font-size": cell < 40 ? 9.5 : 11, fill: inkOn(rgb)}));
      }
    }
  }
  svg.append(cells, ...matrixLabels(rows, columns, layout));
  const mark = shape("rect", {class: "ha-mark", width: cell - 1, height: cell - 1, fill: "none",
                              stroke: "currentColor", "stroke-width": 2, "pointer-events": "none"});
  const legendLeft = Math.max(left - 25, widthOf(matrix.from, 11) - 20);
  svg.append(mark, legend(legendLeft, layout.height - 20, matrix.from, matrix.to, matrix.colorAt,
                          allowed && allowed.includes(0)));
  svg.mark = (query, key) => {
    mark.setAttribute("visibility", query === null && key === null ? "hidden" : "visible");
    mark.setAttribute("x", left + cell * (key ?? 0));
    mark.setAttribute("y", top + cell * (query ?? 0));
    mark.setAttribute("width", key === null ? cell * columns.length - 1 : cell - 1);
    mark.setAttribute("height", query === null ? cell * rows.length - 1 : cell - 1);
  };
  svg.mark(at.query, at.key);
  const placeOf = (event) => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) * layout.width / box.width - left;
    const y = (event.clientY - box.top) * layout.height / box.height - top;
    const [query, key] = [Math.floor(y / cell), Math.floor(x / cell)];
    const inside = query < rows.length && key < columns.length && (query >= 0 || key >= 0);
    return inside ? [query < 0 ? null : query, key < 0 ? null : key] : [null, null];
  };
  svg.addEventListener("pointermove", (event) => look(...placeOf(event)));
  svg.addEventListener("pointerleave", () => look(null, null));
  svg.addEventListener("click", (event) => lock(...placeOf(event)));
  svg.addEventListener("keydown", (event) => {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    const [query, key] = [at.query, at.key];
    if (event.key === "Enter" && query !== null && key !== null) lock(query, key);
    else if (step && (query === null || key === null)) look(query ?? 0, key ?? 0);
    else if (step) look(Math.min(Math.max(query + step[0], 0), rows.length - 1),
                        Math.min(Math.max(key + step[1], 0), columns.length - 1));
    else return;
    event.preventDefault();
  });
  return svg;
}

function matrixLabels(rows, columns, {left, top, cell, flat, labels}) {
  if (labels < 7) return [];
  const full = (token) => shape("title", {}, token);
  const rowLabels = rows.map((token, i) => {
    const label = textAt(left - 6, top + cell * (i + 0.5) + labels / 3, fit(token, left - 10, labels),
                         {"text-anchor": "end", "font-size": labels});
    label.append(full(token));
    return label;
  });
  const columnLabels = columns.map((token, j) => {
    const x = left + cell * (j + 0.5);
    const label = flat
      ? textAt(x, top - 7, token, {"text-anchor": "middle", "font-size": labels})
      : textAt(0, 0, fit(token, top - 10, labels), {"font-size": labels,
          transform: `translate(${x + labels / 3} ${top - 6}) rotate(-90)`});
    label.append(full(token));
    return label;
  });
  return [...rowLabels, ...columnLabels];
}
