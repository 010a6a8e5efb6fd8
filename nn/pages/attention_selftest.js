// Starts the views; with #selftest=1 in the address each checks itself and reports as TAP.

function check(view, report) {
  const {records, section} = view;
  const close = (a, b, within) => Math.abs(a - b) <= within * (1 + Math.abs(b));
  let sums = true, found = true;
  for (const record of records.all) {
    for (let head = 0; head < record.sequences * record.heads; ++head) {
      const weights = records.part(record, "weights", head), allowed = records.allowed(record, head);
      found = found && weights.length === record.T_q * record.T_k;
      for (let i = 0; i < record.T_q; ++i) {
        const row = weights.slice(i * record.T_k, (i + 1) * record.T_k);
        const open = !allowed || allowed.slice(i * record.T_k, (i + 1) * record.T_k).includes(1);
        const within = records.leftOut === 3 ? 1e-5 * record.T_k : 1e-4;
        sums = sums && close(row.reduce((a, b) => a + b, 0), open ? 1 : 0, within);
      }
    }
  }
  report(found, "every head has a weight for each query and key");
  report(sums, "the weights of a query add up to 1, or to 0 where all is masked");
  const click = (node) => node.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  const press = (node, key) => node.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  view.go({view: "head", as: "lines", heads: [0], query: null, key: null, layer: 0, sequence: 0}, true);
  const token = (name) => section.querySelector(`[data-focus="${name}"]`);
  report(section.querySelectorAll(".ha-token").length === view.record.T_q + view.record.T_k,
         "each query and each key is drawn");
  const names = [...view.tokens("queries"), ...view.tokens("keys")];
  report([...section.querySelectorAll(".ha-token title")].every((title, i) =>
    title.textContent === names[i] && !title.children.length), "tokens are text");
  click(token("query 0"));
  report(view.state.query === 0, "a click keeps a query");
  report(new URLSearchParams(location.hash.slice(1)).get(view.prefix + "query") === "0", "the address has it");
  press(token("query 0"), "Escape");
  report(view.state.query === null, "Esc lets it go");
  const last = Math.min(1, view.record.T_q - 1);
  token("query 0").focus();
  press(token("query 0"), "ArrowDown");
  report(document.activeElement === token(`query ${last}`), "an arrow key walks");
  press(token(`query ${last}`), "Enter");
  report(view.state.query === last, "Enter keeps a query");
  view.go({as: "map", query: last, key: 0}, true);
  const allowed = view.allowed();
  const number = allowed && !allowed[last * view.record.T_k] ? "masked"
    : "weight " + shown(view.part("weights")[last * view.record.T_k]);
  report(view.line.textContent.endsWith(`: ${number}.`), "the line says the number of the cell");
  for (const name of view.offered()) {
    view.go({view: name}, true);
    report(view.panel.childElementCount > 0 && view.state.view === name, `the view ${name} draws`);
    const text = view.pictureText();
    const read = new DOMParser().parseFromString(text, "image/svg+xml");
    report(read.documentElement.nodeName === "svg", `the picture of ${name} can be saved`);
  }
  if (view.record.Q && view.record.temperature > 0) {
    const all = view.steps(last), open = all.filter((step) => !step.masked);
    const most = Math.max(...open.map((step) => step.divided));
    const sum = open.reduce((total, step) => total + Math.exp(step.divided - most), 0);
    report(open.every((step) => close(Math.exp(step.divided - most) / sum, step.weight, 1e-4)),
           "softmax of the scores shown is the weights shown");
    if (view.isDotProduct()) report(all.every((step) =>
      close(step.product * view.record.scale, step.score, 1e-4)), "the sum times the scale is the score");
  }
}

const sections = [...document.querySelectorAll(".heed-attention")];
const selftest = location.hash === "#selftest=1";
const began = performance.now();
const views = sections.map((section) => new View(section, sections.length > 1));
document.documentElement.dataset.ready = Math.round(performance.now() - began);
if (selftest) {
  const lines = [];
  const report = (ok, what) => lines.push(`${ok ? "ok" : "not ok"} ${lines.length + 1} - ${what}`);
  try {
    for (const view of views) check(view, report);
    report(performance.getEntriesByType("resource").length === 0, "nothing was fetched");
  } catch (error) {
    report(false, String(error.stack));
  }
  document.body.append(element("pre", {id: "tap"}, [...lines, `1..${lines.length}`].join("\n")));
}
