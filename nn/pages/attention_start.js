// Makes a view of each recording in the page. With #selftest=1 the page then checks itself, and says
// so in TAP.

const attentionViews = [...document.querySelectorAll(".heed-attention")].map(root => new AttentionView(root));
for (const view of attentionViews) view.alone = attentionViews.length === 1;
for (const view of attentionViews) view.readFragment();

function checkAttention(view, ok) {
  const press = (key, on) => on.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  let worst = 0;
  for (let layer = 0; layer < view.records.length; ++layer) {
    for (let h = 0; h < view.records[layer].heads; ++h) {
      const head = view.headOf(h, layer);
      for (let i = 0; i < head.rows; ++i) {
        let sum = 0;
        for (let j = 0; j < head.columns; ++j) sum += head.weight(i, j);
        worst = Math.max(worst, Math.min(Math.abs(sum - 1), Math.abs(sum)));
      }
    }
  }
  ok(worst < 1e-3, `rows sum to 1, or to 0 (off by ${worst.toExponential(1)})`);
  view.go({view: "lines", query: null, key: null});
  const words = view.panel.querySelectorAll(".ha-word[tabindex]");
  ok(words.length === view.head.rows, "each query is a word that can be reached");
  words[0].dispatchEvent(new MouseEvent("mouseenter"));
  ok(view.state.query === null && view.query === 0, "pointing at a word shows it");
  words[0].dispatchEvent(new MouseEvent("click", {bubbles: true}));
  ok(view.state.query === 0 && location.hash.includes("query=0"), "a click holds it, and the address says so");
  press("Escape", view.panel.querySelector("svg"));
  ok(view.state.query === null, "Escape lets go");
  view.go({view: "map"});
  const map = view.panel.querySelector("svg");
  press("ArrowDown", map);
  press("ArrowRight", view.panel.querySelector("svg"));
  ok(view.query === 0 && view.hoveredKey === 0, "arrow keys walk over a heat map");
  press("Enter", view.panel.querySelector("svg"));
  ok(view.state.query === 0 && view.state.key === 0, "Enter holds the cell");
  const said = view.head.allows(0, 0) ? shown(view.head.weight(0, 0)) : "masked";
  ok(view.line.textContent.includes(said), "its number is told");
  if (view.head.hasScores()) {
    view.go({view: "query", query: view.head.rows - 1, key: null});
    const cells = [...view.panel.querySelectorAll("tbody tr")].map(row => row.querySelector(".ha-weight")?.textContent ?? "masked");
    const wanted = cells.map((_, j) => view.head.allows(view.head.rows - 1, j) ? shown(view.head.weight(view.head.rows - 1, j)) : "masked");
    ok(cells.join() === wanted.join(), "the arithmetic of a query has its weights");
    let off = 0, total = 0;
    const i = view.head.rows - 1, most = Math.max(...wanted.map((_, j) => view.head.masked(i, j)));
    wanted.forEach((_, j) => { total += Math.exp(view.head.masked(i, j) - most); });
    wanted.forEach((_, j) => { off = Math.max(off, Math.abs(Math.exp(view.head.masked(i, j) - most) / total - view.head.weight(i, j))); });
    ok(!(off > 1e-3) || view.record.temperature === 0, `and they are the softmax of what is shown (off by ${off.toExponential(1)})`);
    view.go({view: "steps"});
    ok(view.panel.querySelectorAll("svg").length === 3, "three matrices");
  }
  const others = view.records.length - 1;
  view.choose(others, view.records[others].heads - 1, {});
  ok(view.state.layer === others && location.hash.includes(`layer=${others}`), "a picture chooses its head");
  view.savePicture();
  ok(view.save.hidden || view.save.href.startsWith("data:image/svg+xml"), "the picture can be saved");
}

if (new URLSearchParams(location.hash.slice(1)).get("selftest") === "1") {
  const lines = [];
  const ok = (holds, what) => lines.push(`${holds ? "ok" : "not ok"} ${lines.length + 1} ${what}`);
  try {
    for (const view of attentionViews) checkAttention(view, ok);
    if (typeof checkLesson === "function") checkLesson(ok);
    ok(performance.getEntriesByType("resource").length === 0, "nothing was fetched");
    ok(document.querySelectorAll("[data-hostile], body script + img").length === 0, "no token became markup");
  } catch (error) {
    ok(false, `no error: ${error.message} ${error.stack}`);
  }
  const tap = document.createElement("pre");
  tap.id = "tap";
  tap.textContent = `${lines.join("\n")}\n1..${lines.length}\n`;
  document.body.append(tap);
}
