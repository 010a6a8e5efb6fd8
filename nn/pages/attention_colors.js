// Colours: from light to dark in light pages, from dark to light in dark ones, so that lightness
// alone tells the order; blue and orange for signs.

const ramps = {
  light: [[255, 255, 240], [199, 233, 180], [65, 182, 196], [34, 94, 168], [8, 29, 88]],
  dark: [[24, 28, 44], [33, 66, 120], [38, 130, 142], [90, 200, 120], [253, 231, 37]],
};
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const css = ([r, g, b]) => `rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})`;

// Of a weight from 0 to 1.
function weightColor(weight) {
  const ramp = ramps[isDark() ? "dark" : "light"];
  const place = Math.min(Math.max(weight, 0), 1) * (ramp.length - 1);
  const k = Math.min(Math.floor(place), ramp.length - 2);
  return css(ramp[k].map((c, i) => c + (ramp[k + 1][i] - c) * (place - k)));
}

// Of a number with a sign, where `largest` is the strongest.
function signColor(number, largest) {
  if (!Number.isFinite(number)) return isDark() ? "rgb(60,60,66)" : "rgb(225,225,228)";
  const strength = largest > 0 ? Math.min(Math.abs(number) / largest, 1) : 0;
  const ground = isDark() ? [24, 28, 44] : [255, 255, 255];
  const full = number < 0 ? [230, 97, 1] : [33, 102, 172];
  return css(ground.map((c, i) => c + (full[i] - c) * strength));
}

function textOn(color) {
  const [r, g, b] = color.match(/\d+/g).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b < 140 ? "#fff" : "#111";
}

// Of several heads side by side.
const headColors = ["#2166ac", "#d95f02", "#1b9e77", "#a6308f", "#b8860b", "#d62d50", "#5e4fa2",
                    "#3d8b37"];
