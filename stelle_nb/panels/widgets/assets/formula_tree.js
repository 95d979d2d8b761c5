// The parts of a formula as a tree, each with its robustness over time; one of them is chosen.

const WIDE = 190;
const TALL = 24;

function render({ model, el }) {
  const tree = document.createElement("div");
  tree.className = "stelle-tree";
  tree.dataset.lmSuppressShortcuts = "true"; // otherwise JupyterLab takes the arrow keys for its own
  const head = document.createElement("div");
  head.className = "head";
  for (const text of ["part of the formula", "robustness over time", "where it is judged"]) {
    const cell = document.createElement("span");
    cell.textContent = text;
    head.append(cell);
  }
  const list = document.createElement("div");
  list.setAttribute("role", "tree");
  list.setAttribute("aria-label", "Parts of the formula");
  tree.append(head, list);
  el.append(tree);
  const items = new Map();

  function spark(values) {
    const size = Math.max(...values.map(Math.abs), 1e-12);
    const x = (t) => (WIDE * t) / Math.max(1, values.length - 1);
    const y = (value) => TALL / 2 - (value / size) * (TALL / 2 - 1);
    return [side(values, 1, x, y), side(values, -1, x, y)];
  }

  function make(path) {
    const item = document.createElement("div");
    item.setAttribute("role", "treeitem");
    item.dataset.path = path;
    const label = document.createElement("span");
    label.className = "label";
    const chart = document.createElementNS(SVG, "svg");
    chart.setAttribute("viewBox", `0 0 ${WIDE} ${TALL}`);
    chart.setAttribute("preserveAspectRatio", "none");
    chart.setAttribute("aria-hidden", "true");
    const parts = ["holding", "failing"].map((look) => {
      const part = document.createElementNS(SVG, "path");
      part.setAttribute("class", look);
      return part;
    });
    const zero = document.createElementNS(SVG, "path");
    zero.setAttribute("class", "spark");
    zero.setAttribute("d", `M0 ${TALL / 2}H${WIDE}`);
    chart.append(...parts, zero);
    const value = document.createElement("span");
    value.className = "value";
    const dot = document.createElement("i");
    const words = document.createElement("span");
    value.append(dot, words);
    item.append(label, chart, value);
    item.addEventListener("click", () => choose(path));
    items.set(path, { item, label, parts, dot, words });
    return items.get(path);
  }

  function draw() {
    const nodes = model.get("nodes");
    const chosen = model.get("chosen");
    const isFocused = list.contains(document.activeElement);
    const wanted = new Set(nodes.map((node) => node.path));
    for (const [path, { item }] of items) {
      if (!wanted.has(path)) {
        item.remove();
        items.delete(path);
      }
    }
    for (const [i, node] of nodes.entries()) {
      const made = items.get(node.path) ?? make(node.path);
      if (list.children[i] !== made.item) list.insertBefore(made.item, list.children[i] ?? null);
      const isChosen = node.path === chosen;
      made.label.textContent = node.text;
      made.label.style.paddingLeft = `${18 * node.depth}px`;
      spark(node.trace).forEach((d, j) => made.parts[j].setAttribute("d", d));
      made.dot.className = node.holds ? "holding" : "failing";
      made.dot.style.background = `var(--stelle-${node.holds ? "holds" : "fails"})`;
      made.words.textContent = node.value;
      made.item.className = node.is_decisive ? "decisive" : "";
      const decides = node.is_decisive ? ", decides" : "";
      const said = `${node.text}: robustness ${node.value}, ${node.holds ? "holds" : "does not hold"}${decides}`;
      made.item.setAttribute("aria-label", said);
      made.item.setAttribute("aria-level", node.depth + 1);
      made.item.setAttribute("aria-selected", isChosen);
      made.item.tabIndex = isChosen ? 0 : -1;
    }
    if (isFocused) items.get(chosen)?.item.focus({ preventScroll: true });
    tree.dataset.drawn = String(Number(tree.dataset.drawn ?? 0) + 1);
  }

  function choose(path) {
    model.set("chosen", path);
    model.save_changes();
    items.get(path)?.item.focus({ preventScroll: true });
  }

  list.addEventListener("keydown", (event) => {
    const paths = model.get("nodes").map((node) => node.path);
    const now = model.get("chosen");
    const i = paths.indexOf(now);
    const next = {
      ArrowDown: paths[i + 1],
      ArrowUp: paths[i - 1],
      ArrowLeft: now.slice(0, -1),
      ArrowRight: `${now}0`,
      Home: paths[0],
      End: paths.at(-1),
    }[event.key];
    if (next === undefined || !paths.includes(next)) return;
    event.preventDefault();
    event.stopPropagation();
    choose(next);
  });

  model.on("change:nodes", draw);
  model.on("change:chosen", draw);
  draw();
}

export default { render };
