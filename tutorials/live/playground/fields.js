// What the reader changes: a grid of number fields for each matrix, and the settings.

function element(name, attributes = {}, content = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...[content].flat());
  return made;
}

function headRow(letter, columns) {
  const heads = Array.from({length: columns}, (_, j) => element("th", {scope: "col"}, `${letter}${j}`));
  return element("thead", {}, element("tr", {}, [element("td"), ...heads]));
}

// Up and down go to the entry of the row above and below.
function walkRows(event) {
  const step = {ArrowUp: -1, ArrowDown: 1, Enter: 1}[event.key];
  if (!step) return;
  const {row, column} = event.target.dataset;
  const next = event.currentTarget.querySelector(`[data-row="${+row + step}"][data-column="${column}"]`);
  if (!next) return;
  next.focus();
  next.select();
  event.preventDefault();
}

// Several numbers: rows by line ends or semicolons, numbers by blanks or commas; "tensor(" and
// brackets are ignored.
function pasted(text) {
  const rows = text.replace(/[\w.]+\(/g, " ").replace(/\]\s*,/g, "\n").replace(/[[\]{}()]/g, " ").split(/[\n;]/);
  return rows.map((row) => row.trim().split(/[\s,]+/).filter(Boolean)).filter((row) => row.length);
}

// `changed(i, j, text)` for an entry, `replaced(rows)` for a whole matrix that was pasted.
function matrixField(name, about, matrix, [row, column], changed, replaced) {
  const field = (i, j) => element("input", {
    value: matrix[i][j], "aria-label": `${name}[${i}, ${j}]`, "data-row": i, "data-column": j,
    "data-place": `${name}[${i}, ${j}]`, autocomplete: "off", inputmode: "text", spellcheck: "false",
    oninput: (event) => changed(i, j, event.target.value),
  });
  const rows = matrix.map((entries, i) => element("tr", {}, [
    element("th", {scope: "row"}, `${row}${i}`),
    ...entries.map((_, j) => element("td", {class: "entry"}, field(i, j))),
  ]));
  const table = element("table", {onkeydown: walkRows, onpaste: (event) => {
    const numbers = pasted(event.clipboardData.getData("text"));
    if (numbers.flat().length < 2) return;
    event.preventDefault();
    replaced(numbers);
  }}, [headRow(column, columnsOf(matrix)), element("tbody", {}, rows)]);
  const shape = `[${rowsOf(matrix)}, ${columnsOf(matrix)}]`;
  return element("figure", {"data-matrix": name}, [
    element("figcaption", {}, [element("span", {class: `name role-${name}`}, name), " ",
                               element("span", {class: "shape"}, shape), " ", element("small", {}, about)]),
    element("div", {class: "scroll"}, table),
  ]);
}

function sizeField(label, id, value, changed) {
  const options = Array.from({length: 8}, (_, i) =>
    element("option", {value: i + 1, selected: String(i + 1) === String(value)}, String(i + 1)));
  if (![...options].some((option) => option.selected)) {
    options.push(element("option", {value, selected: true}, String(value)));
  }
  const select = element("select", {id, onchange: (event) => changed(event.target.value)}, options);
  return element("label", {}, [label, select]);
}

function switchField(label, id, checked, changed) {
  const box = element("input", {
    type: "checkbox", id, checked, onchange: (event) => changed(event.target.checked),
  });
  return element("label", {class: "switch"}, [box, label]);
}
