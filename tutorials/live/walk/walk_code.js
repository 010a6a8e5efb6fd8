// The source around the current line. Lines of the walk are buttons: to the next time here.

function partWith(record, file, line) {
  return (record.sources[file] ?? []).find(([first, text]) =>
    first <= line && line < first + text.split("\n").length);
}

function codeOf(record, moves, file, line, visited, onLine, onFold) {
  const part = partWith(record, file, line);
  if (!part) return [element("p", {class: "shape"}, "The source of this line was not there.")];
  const [first, text] = part;
  return text.split("\n").map((words, i) => {
    const number = first + i, isHere = number === line, isVisited = visited.has(`${file}:${number}`);
    const gutter = isVisited
      ? element("button", {type: "button", class: "number", title: "to the next time here",
                           "aria-label": `line ${number}: to the next time here`,
                           "aria-current": isHere && "step"}, String(number))
      : element("span", {class: "number"}, String(number));
    const code = element("code", {}, words || " ");
    const row = element("div", {class: isHere ? "line here" : isVisited ? "line visited" : "line"}, gutter, code);
    if (isVisited) row.addEventListener("click", () => onLine(number));
    for (const loop of number === line || isVisited ? moves.loopsAt(file, number).slice(0, 1) : []) {
      row.append(element("button", {type: "button", class: "fold", "aria-expanded": String(!loop.folded),
                                    onclick: (event) => { event.stopPropagation(); onFold(file, number); }},
                         roundsOf(loop)));
    }
    return row;
  });
}
