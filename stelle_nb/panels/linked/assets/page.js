// What all parts of the linked view share: elements, numbers, the theme of the page, and its keys.

const SVG = "http://www.w3.org/2000/svg";

function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// Whether a model is still to come, unless fitting it was cancelled or failed.
function isWaiting(status) {
  return !["cancelled", "failed"].includes(status.phase);
}

function s(tag, attributes = {}, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  if (text !== undefined) node.textContent = text;
  return node;
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

// at most three digits
function brief(value) {
  if (value === 0) return "0";
  const text = Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
  return text.replace("-", "\u2212");
}

function ticks(low, high, count) {
  const found = steps(low, high, count);
  return found.length > 1 ? found : steps(low, high, 2 * count); // one number alone is no scale
}

function steps(low, high, count) {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step; i += 1) found.push(i * step);
  return found;
}

function path(points) {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

// New content keeps the focus on the element with the same name, if there is one.
function keepFocus(root, change) {
  const held = root.getRootNode().activeElement;
  const key = held && root.contains(held) ? held.dataset.key : undefined;
  change();
  if (key === undefined || root.contains(held)) return;
  root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

// A colour as red, green, blue and opacity up to 255, however it is written: rgb(), oklch(), color().
const pixels = new Map();
let brush = null;

function pixelOf(colour) {
  if (!pixels.has(colour)) {
    brush ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = "transparent";
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    pixels.set(colour, [...brush.getImageData(0, 0, 1, 1).data]);
  }
  return pixels.get(colour);
}

// The page may be dark whatever the system prefers, so its own colour decides.
function isDark(element) {
  for (let node = element; node; node = node.parentElement ?? node.getRootNode().host) {
    const [r, g, b, a] = pixelOf(getComputedStyle(node).backgroundColor);
    if (a !== 0) return 0.2126 * r + 0.7152 * g + 0.0722 * b < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function followTheme(root) {
  const look = () => root.setAttribute("data-theme", isDark(root.parentElement ?? root) ? "dark" : "light");
  const watch = new MutationObserver(look);
  for (const node of [document.documentElement, document.body]) watch.observe(node, { attributes: true });
  const preference = matchMedia("(prefers-color-scheme: dark)");
  preference.addEventListener("change", look);
  requestAnimationFrame(look);
  const timer = setInterval(look, 1500); // a theme may come as a style sheet, which changes no attribute
  look();
  return () => {
    watch.disconnect();
    clearInterval(timer);
    preference.removeEventListener("change", look);
  };
}

// JupyterLab takes keys for its cells unless the element they are pressed in says that they are its own.
function guardKeys(root) {
  const own = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", " ", "Enter", "Escape", "Delete"]);
  const guard = (event) => {
    const target = event.composedPath()[0];
    if (!(target instanceof Element) || !root.contains(target)) return;
    const isText = target.matches("input[type=search]");
    const isOwn = !(event.ctrlKey || event.metaKey) && (isText || own.has(event.key) || event.key.length === 1);
    target.toggleAttribute("data-lm-suppress-shortcuts", isOwn);
  };
  globalThis.addEventListener("keydown", guard, true);
  return () => globalThis.removeEventListener("keydown", guard, true);
}
