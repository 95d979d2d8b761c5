// What the charts drawn by hand share: a sheet whose elements stay while their looks change, scales and ticks.

const SVG = "http://www.w3.org/2000/svg";

class Waterfall {
  // An element keeps its place in the page as long as it is put again, so it keeps focus and pointer, too.
  constructor(svg, layers) {
    this.known = new Map();
    this.layers = {};
    for (const name of layers) {
      this.layers[name] = document.createElementNS(SVG, "g");
      svg.append(this.layers[name]);
    }
  }

  begin() {
    this.seen = new Set();
  }

  put(layer, key, tag, attributes, text) {
    let node = this.known.get(key);
    if (!node) {
      node = document.createElementNS(SVG, tag);
      this.known.set(key, node);
      this.layers[layer].append(node);
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
    }
    if (text !== undefined && node.textContent !== text) node.textContent = text;
    this.seen.add(key);
    return node;
  }

  end() {
    for (const [key, node] of this.known) {
      if (!this.seen.has(key)) {
        node.remove();
        this.known.delete(key);
      }
    }
  }
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

function ticks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step; i += 1) found.push(i * step);
  return found;
}

function brief(value, span) {
  const more = Math.floor(Math.log10(Math.abs(value) / span));  // far from zero, more digits tell values apart
  return String(Number(value.toPrecision(more > 0 ? Math.min(15, 4 + more) : 4)));
}

// the nearest value that can be written in few digits
function rounded(value, span) {
  const quantum = 10 ** Math.floor(Math.log10(span / 100));
  return Number((Math.round(value / quantum) * quantum).toPrecision(12));
}

function course(points) {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

// the area between a trace and zero, on one side of it; straight lines are cut where they cross zero
function side(values, sign, x, y) {
  const path = [[x(0), y(0)]];
  values.forEach((value, t) => {
    const before = values[t - 1];
    if (t && before * value < 0) path.push([x(t - 1 + before / (before - value)), y(0)]);
    path.push([x(t), y(sign * value > 0 ? value : 0)]);
  });
  path.push([x(values.length - 1), y(0)]);
  return `${course(path)}Z`;
}
