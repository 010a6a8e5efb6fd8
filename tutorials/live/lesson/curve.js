// The loss of each training of a run, a curve each, drawn as the steps come in.

const WIDTH = 640, HEIGHT = 160, LEFT = 56, BOTTOM = 22, TOP = 8, RIGHT = 8;

function svg(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

class Curves {
  constructor(figure) {
    this.picture = figure.querySelector("svg");
    this.caption = figure.querySelector("figcaption");
    this.figure = figure;
    this.clear();
  }

  clear() {
    this.all = [];
    this.figure.hidden = true;
    this.picture.replaceChildren();
  }

  // A step that is not after the one before begins another training.
  add({ step, steps, loss }) {
    const last = this.all.at(-1);
    const begins = !last || last.steps !== steps || step <= last.points.at(-1).step;
    if (begins) this.all.push({ steps, points: [{ step, loss }] });
    else last.points.push({ step, loss });
    this.draw();
  }

  draw() {
    const points = this.all.flatMap((one) => one.points).filter((p) => Number.isFinite(p.loss));
    const highest = Math.max(...points.map((p) => p.loss), 1e-9);
    const longest = Math.max(...this.all.map((one) => one.steps));
    const x = (step) => LEFT + (WIDTH - LEFT - RIGHT) * step / longest;
    const y = (loss) => HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * loss / highest;
    const text = (content, attributes) => {
      const element = svg("text", attributes);
      element.textContent = content;
      return element;
    };
    const axes = svg("path", { class: "axes", d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}` });
    this.picture.replaceChildren(axes,
      text(highest.toFixed(2), { x: LEFT - 6, y: TOP + 8, "text-anchor": "end" }),
      text("0", { x: LEFT - 6, y: HEIGHT - BOTTOM, "text-anchor": "end" }),
      text(`step ${longest}`, { x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }),
      ...this.all.map(({ points: line }, i) => svg("polyline", {
        class: i === this.all.length - 1 ? "now" : "before",
        points: line.map((p) => `${x(p.step).toFixed(1)},${y(p.loss).toFixed(1)}`).join(" "),
      })));
    this.say();
    this.figure.hidden = false;
  }

  say() {
    const { steps, points } = this.all.at(-1);
    const { step, loss } = points.at(-1);
    const said = `Training ${this.all.length}: step ${step} of ${steps}, loss ${loss.toFixed(4)}`;
    this.caption.textContent = said;
    this.picture.setAttribute("aria-label", `The loss over the steps. ${said}`);
  }
}
