// A value as a table in which colour is size, or as a picture where there are too many numbers.

const mostColumns = 16, mostRows = 16, mostGrids = 6;

function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...inside);
  return made;
}

// As heed prints them: the same number of decimals in one tensor.
function formatOf(numbers) {
  const finite = numbers.filter((x) => typeof x === "number");
  const largest = Math.max(0, ...finite.map(Math.abs));
  if (finite.every(Number.isInteger) && largest < 1e8) return (x) => String(x);
  if (largest > 1e8 || (0 < largest && largest < 1e-4)) return (x) => typeof x === "number" ? x.toExponential(4) : x;
  return (x) => typeof x === "number" ? x.toFixed(4) : x;
}
function magnitude(value) {
  if (value.line.includes("rows sum to 1")) return 1;
  return Math.max(0, ...value.numbers.filter((x) => typeof x === "number").map(Math.abs));
}
const wordsFor = {Mask: ["·", "x"], BoolTensor: ["false", "true"]};

// One cell: `mark` if its number is another than before; with a reason it is a button.
function cellOf(value, at, format, most, before, reason) {
  const x = value.numbers[at], words = wordsFor[value.kind];
  const shown = words ? words[x] : x === "-inf" ? "−∞" : x === "inf" ? "∞" : format(x);
  const cell = element("td", {title: String(x), "data-number": String(x)}, reason ? reason(at, shown) : shown);
  if (words) cell.className = x ? "allowed" : "none";
  else if (x === "-inf") cell.className = "blocked";
  else if (typeof x === "number") {
    cell.style.setProperty("--p", most ? Math.round(Math.abs(x) / most * 100) : 0);
    if (x < 0) cell.className = "n";
  }
  if (before && before.numbers[at] !== x) cell.classList.add("mark");
  return cell;
}

function tableOf(value, first, rows, columns, name, before, reason) {
  const format = formatOf(value.numbers), most = value.kind === "IndexTensor" ? 0 : magnitude(value);
  const table = element("table", {"aria-label": name});
  for (let i = 0; i < rows; ++i) {
    const row = element("tr");
    for (let j = 0; j < columns; ++j) {
      row.append(cellOf(value, first + i * columns + j, format, most, before, reason));
    }
    table.append(row);
  }
  return element("div", {class: "scroll"}, table);
}

function channels(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim().split(" ").map(Number);
}
function paper() {
  return getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number);
}

// A pixel for each number; the number under the pointer is said below it.
function pictureOf(value, first, rows, columns, name) {
  const canvas = element("canvas", {width: columns, height: rows, role: "img",
                                    "aria-label": `${name}, ${rows} by ${columns} numbers as a heat map`});
  const size = Math.max(3, Math.min(14, Math.floor(420 / columns)));
  canvas.style.width = `${size * columns}px`;
  canvas.style.height = `${size * rows}px`;
  const context = canvas.getContext("2d"), image = context.createImageData(columns, rows);
  const most = magnitude(value), plus = channels("--plus"), minus = channels("--minus"), ground = paper();
  for (let i = 0; i < rows * columns; ++i) {
    const x = value.numbers[first + i], isNumber = typeof x === "number";
    const part = isNumber && most ? Math.abs(x) / most : 0, color = x < 0 ? minus : plus;
    for (let c = 0; c < 3; ++c) {
      image.data[4 * i + c] = isNumber ? Math.round(ground[c] + (color[c] - ground[c]) * part) : 128;
    }
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  const said = element("p", {class: "said"}, "");
  canvas.addEventListener("pointermove", (event) => {
    const column = Math.min(columns - 1, Math.floor(event.offsetX / size));
    const row = Math.min(rows - 1, Math.floor(event.offsetY / size));
    said.textContent = `[${row}, ${column}]: ${value.numbers[first + row * columns + column]}`;
  });
  const numbers = element("details", {}, element("summary", {}, "numbers"));
  numbers.addEventListener("toggle", () => {
    if (numbers.open && numbers.children.length === 1) {
      numbers.append(tableOf(value, first, rows, columns, name));
    }
  });
  return element("div", {}, element("div", {class: "scroll"}, canvas), said, numbers);
}

// The index of a grid along the axes before the last two: [1, 0, :, :]
function placeOf(grid, outer) {
  const index = [];
  for (const length of [...outer].reverse()) {
    index.unshift(grid % length);
    grid = Math.floor(grid / length);
  }
  return `[${index.join(", ")}, :, :]`;
}

// All of a value; `before` is what it was when it was seen last, if it was of the same shape.
function gridsOf(value, name, before, reason) {
  if (!value.numbers || value.numbers.length === 0) return [];
  const part = value.part, rank = part.length;
  const columns = rank ? part[rank - 1] : 1, rows = rank > 1 ? part[rank - 2] : 1;
  const grids = value.numbers.length / (rows * columns);
  const same = before && String(before.shape) === String(value.shape) ? before : null;
  const made = [];
  for (let grid = 0; grid < Math.min(grids, mostGrids); ++grid) {
    if (rank > 2) made.push(element("p", {class: "shape"}, placeOf(grid, part.slice(0, -2))));
    const draws = columns > mostColumns || rows > mostRows ? pictureOf : tableOf;
    made.push(draws(value, grid * rows * columns, rows, columns, name, same, reason));
  }
  if (grids > mostGrids || String(part) !== String(value.shape)) {
    const shown = grids > mostGrids ? `the first ${mostGrids} of ` : `[${part.join(", ")}] of `;
    made.push(element("p", {class: "shape"}, `shown: ${shown}[${value.shape.join(", ")}]`));
  }
  return made;
}
