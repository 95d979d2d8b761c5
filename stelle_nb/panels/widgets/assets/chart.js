// A Vega-Lite chart that stays where it is while its rows change.

const LIBRARY = Symbol.for("stelle_nb.vega");

// The library is megabytes: the page loads it once, from a model that all charts of a kernel share.
function vegaEmbed(model) {
  globalThis[LIBRARY] ??= load(model).catch((error) => {
    globalThis[LIBRARY] = undefined;
    throw error;
  });
  return globalThis[LIBRARY];
}

async function load(model) {
  const name = model.get("library").replace("IPY_MODEL_", "");
  const library = await model.widget_manager.get_model(name);
  const url = URL.createObjectURL(new Blob([library.get("source")], { type: "text/javascript" }));
  try {
    return (await import(url)).vegaEmbed;
  } finally {
    URL.revokeObjectURL(url);
  }
}

// A model that is not ready within two seconds, as on a busy machine, is deaf from then on: anywidget drops all
// that comes for it. So messages go past that check, and what was missed is asked for.
async function listen(model) {
  const whole = await model.widget_manager.get_model(model.get("identity"));
  const kind = Object.getPrototypeOf(Object.getPrototypeOf(whole));
  whole.comm.on_msg(kind._handle_comm_msg.bind(whole));
  model.send("what is shown?");
}

function initialize({ model }) {
  void listen(model);
}

// The chart with all its pictures narrower by a factor; words, axes and heights stay.
function narrowed(part, factor) {
  if (Array.isArray(part)) return part.map((each) => narrowed(each, factor));
  if (part === null || typeof part !== "object") return part;
  const made = Object.fromEntries(Object.entries(part).map(([key, each]) => [key, key === "data" ? each : narrowed(each, factor)]));
  if ((part.layer || part.mark) && typeof part.width === "number") made.width = Math.max(NARROWEST, factor * part.width);
  if (part.legend?.orient === "top") made.legend = { ...made.legend, columns: 2 };
  return made;
}

const NARROWEST = 36; // pixels of a picture

async function render({ model, el }) {
  const box = document.createElement("div");
  box.className = "stelle-chart";
  box.setAttribute("role", "img");
  el.append(box);
  let chart = null;
  let drawn = null;
  let isBusy = false;
  let isStale = false;
  let room = 0; // pixels across when it was drawn
  let isNarrowed = false;
  let timer = null;

  async function embed(spec) {
    clear();
    if (Object.keys(spec).length === 0) return;
    await put(spec);
    [room, isNarrowed] = [box.clientWidth, false];
    if (!model.get("can_shrink") || room === 0 || widthOf() <= room) return;
    // axes and words keep their size, so how much narrower the pictures must be is found by trial
    isNarrowed = true;
    const whole = 0.85 * widthOf(); // of which about so much are pictures
    let factor = 1;
    for (let trial = 0; trial < 6 && widthOf() > room; trial += 1) {
      factor = Math.max(0.1, factor - (widthOf() - room + 2) / whole);
      await put(narrowed(spec, factor));
    }
  }

  function clear() {
    chart?.finalize();
    chart = null;
    box.replaceChildren();
  }

  function widthOf() {
    return Number(box.querySelector("svg")?.getAttribute("width") ?? 0);
  }

  async function put(spec) {
    clear();
    const place = document.createElement("div");
    box.append(place);
    const embedder = await vegaEmbed(model);
    // Vega writes into the rows it is given, so it gets copies
    const whole = { ...structuredClone(spec), datasets: structuredClone(model.get("rows")) };
    chart = await embedder(place, whole, { actions: false, renderer: "svg" });
    chart.view.addEventListener("click", (_, item) => {
      const found = item?.datum?.case;
      if (Number.isInteger(found) && found >= 0) {
        model.set("clicked", { case: found, count: (model.get("clicked").count ?? 0) + 1 });
        model.save_changes();
      }
    });
  }

  async function send(rows) {
    for (const [name, some] of Object.entries(rows)) chart.view.data(name, structuredClone(some));
    await chart.view.resize().runAsync();
  }

  // of changes that arrive while drawing only the last one is drawn
  async function follow() {
    isStale = true;
    if (isBusy) return;
    isBusy = true;
    while (isStale) {
      isStale = false;
      const spec = model.get("spec");
      try {
        if (spec !== drawn) await embed(spec);
        else if (chart) await send(model.get("rows"));
        drawn = spec;
      } catch (error) {
        drawn = null;
        box.textContent = `The chart cannot be drawn: ${error.message}`;
      }
      box.setAttribute("aria-label", model.get("label"));
      box.dataset.drawn = String(Number(box.dataset.drawn ?? 0) + 1);
    }
    isBusy = false;
  }

  // a page that became narrower or wider, or a tab that was opened
  const watch = new ResizeObserver(() => {
    const now = box.clientWidth;
    if (now === 0 || now === room || !chart || (!isNarrowed && widthOf() <= now)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      drawn = null;
      void follow();
    }, 150);
  });

  model.on("change:spec", follow);
  model.on("change:rows", follow);
  await follow();
  watch.observe(box);
  return () => {
    clearTimeout(timer);
    watch.disconnect();
    chart?.finalize();
  };
}

export default { initialize, render };
