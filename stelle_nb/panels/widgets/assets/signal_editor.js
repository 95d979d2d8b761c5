// Signals and thresholds that can be moved by hand; everything else follows the kernel.

const LINE = 12; // height of words
const REACH_OF_HAND = 7; // pixels from a threshold at which it is taken instead of the signal

function render({ model, el }) {
  const box = document.createElement("div");
  box.className = "stelle-editor";
  // otherwise JupyterLab takes the arrow keys for its own
  box.dataset.lmSuppressShortcuts = "true";
  const legend = document.createElement("div");
  legend.className = "stelle-legend";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("role", "group");
  box.append(legend, svg);
  el.append(box);

  const sheet = new Waterfall(svg, ["back", "lines", "front"]);
  const cursors = new Map(); // the sample of each row that the keys move
  let edits = new Map();
  let plan = null; // where the rows stand
  let hold = null; // what the hand holds
  let hover = null;
  let isAsked = false;
  const asked = new Map(); // what keys have moved, by its key in the sheet: they may come faster than the kernel answers
  let written = []; // where words and rings are: left, right, and the height of the line

  const at = (channel, t) => `${channel}:${t}`;
  const canEdit = (row) => row.channel >= 0 && model.get("is_free");

  function valueOf(row, t) {
    return edits.get(at(row.channel, t)) ?? row.values[t];
  }

  function valuesOf(row) {
    return row.values.map((_, t) => valueOf(row, t));
  }

  function takeEdits() {
    edits = new Map(model.get("edits").map(([channel, t, value]) => [at(channel, t), value]));
  }

  function send() {
    const list = [...edits].map(([key, value]) => [...key.split(":").map(Number), value]);
    list.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    model.set("edits", list);
    model.save_changes();
  }

  function change(row, t, value) {
    if (value === row.values[t]) edits.delete(at(row.channel, t));
    else edits.set(at(row.channel, t), value);
  }

  function within(row, value) {
    return rounded(clamp(value, row.low, row.high), row.high - row.low);
  }

  function moment(t) {
    const axis = model.get("axis");
    return axis.step === null ? `sample ${t}` : `${brief(t * axis.step)} ${axis.unit ?? ""}`.trim();
  }

  // ---- drawing ------------------------------------------------------------------------------------------

  function ask() {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      draw();
    });
  }

  function draw() {
    plan = layOut(model, el.clientWidth, valuesOf, canEdit, hold ? plan.rows : []);
    svg.setAttribute("width", plan.width);
    svg.setAttribute("height", plan.height);
    svg.setAttribute("aria-label", model.get("label"));
    box.dataset.mode = model.get("mode");
    sheet.begin();
    written = plan.rows.flatMap((row) => model.get("marks").filter((one) => one.key === row.key).map((one) => {
      const x = plan.x(one.t);
      return { left: x - 8, right: x + 8, y: row.y(clamp(one.value, row.low, row.high)) + 4 };
    }));
    for (const row of plan.rows) drawRow(row);
    for (const [i, trace] of plan.traces.entries()) drawTrace(trace, i);
    drawTime();
    sheet.end();
    box.dataset.drawn = String(Number(box.dataset.drawn ?? 0) + 1);
  }

  function drawAxis(row, key, name) {
    sheet.put("back", `${key}/box`, "rect", {
      x: LEFT, y: row.top, width: plan.width - LEFT - RIGHT, height: row.bottom - row.top,
      class: "stelle-box", "data-key": key,
    });
    sheet.put("front", `${key}/name`, "text", { x: LEFT, y: row.top - 5, class: "stelle-name" }, name);
    for (const [i, value] of ticks(row.low, row.high, 3).entries()) {
      const y = row.y(value);
      sheet.put("back", `${key}/grid${i}`, "line", {
        x1: LEFT, x2: plan.width - RIGHT, y1: y, y2: y, class: "stelle-grid",
      });
      sheet.put("back", `${key}/tick${i}`, "text", { x: LEFT - 6, y: y + 4, class: "stelle-tick end" },
        brief(value, row.high - row.low));
    }
  }

  function drawRow(row) {
    const key = `row ${row.key}`;
    const decides = model.get("marks").filter((one) => one.key === row.key && one.text).map((one) => one.text);
    drawAxis(row, key, [row.name, ...decides].join("  ·  "));
    for (const [j, [start, end]] of model.get("holds").entries()) drawHolds(row, `${key}/holds${j}`, start, end);
    for (const one of model.get("shapes")) if (one.key === row.key) drawShape(row, one);
    for (const one of model.get("thresholds")) if (one.key === row.key) drawThreshold(row, one);
    for (const [one, y] of windowsOf(row)) drawWindow(row, one, y);
    for (const [j, one] of model.get("behind").entries()) {
      if (one.key !== row.key) continue;
      const points = one.values.map((value, t) => [plan.x(t), row.y(value)]);
      sheet.put("lines", `${key}/behind${j}`, "path", { d: course(points), class: `stelle-line ${one.kind}` });
    }
    const points = valuesOf(row).map((value, t) => [plan.x(t), row.y(value)]);
    sheet.put("lines", `${key}/line`, "path", {
      d: course(points), class: `stelle-line ${row.channel >= 0 ? "case" : "derived"}`, "data-row": row.key,
    });
    if (canEdit(row)) {
      if (plan.x(1) - plan.x(0) > 4) {
        const dots = points.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");
        sheet.put("lines", `${key}/dots`, "path", { d: dots, class: "stelle-dots" });
      }
      drawCursor(row, key);
    }
    for (const [j, one] of model.get("marks").entries()) {
      if (one.key !== row.key) continue;
      const [x, y] = [plan.x(one.t), row.y(clamp(one.value, row.low, row.high))];
      sheet.put("front", `${key}/ring${j}`, "circle", { cx: x, cy: y, r: 7, class: "stelle-ring" });
    }
  }

  function drawHolds(row, key, start, end) {
    const half = (plan.x(1) - plan.x(0)) / 2 || 3;
    const x = clamp(plan.x(start) - half, LEFT, plan.width);
    const width = clamp(plan.x(end) + half, LEFT, plan.width - RIGHT) - x;
    sheet.put("back", key, "rect", { x, y: row.top, width, height: row.bottom - row.top, class: "stelle-holds" });
  }

  function drawShape(row, one) {
    const clipped = (value) => row.y(clamp(value, row.low, row.high));
    const upper = one.t.map((t, i) => [plan.x(Math.min(t, plan.n - 1)), clipped(one.high[i])]);
    const lower = one.t.map((t, i) => [plan.x(Math.min(t, plan.n - 1)), clipped(one.low[i])]);
    const outline = `${course([...upper, ...lower.reverse()])}Z`;
    const look = one.is_wanted ? "wanted" : "shunned";
    sheet.put("back", `shape ${one.id}`, "path", { d: outline, class: `stelle-shape ${look}` });
  }

  function drawThreshold(row, one) {
    const value = hold?.id === one.id ? hold.value : one.value;
    const isOff = value < row.low || value > row.high;
    const y = row.y(clamp(value, row.low, row.high));
    const least = 7 / (plan.x(1) - plan.x(0) || 1); // a window of one sample must be seen, too
    const wide = Math.max(0, least - (one.end - one.start)) / 2;
    const [x1, x2] = [plan.x(Math.max(0, one.start - wide)), plan.x(Math.min(plan.n - 1, one.end + wide))];
    const edge = one.is_lower ? row.top : row.bottom;
    sheet.put("back", `side ${one.id}`, "rect", {
      x: x1, width: Math.max(0, x2 - x1), y: Math.min(y, edge), height: Math.abs(y - edge), class: "stelle-side",
    });
    const attributes = { x1, x2, y1: y, y2: y, class: `stelle-threshold${one.is_free ? " free" : ""}` };
    if (one.is_free) {
      Object.assign(attributes, {
        tabindex: 0, role: "slider", "data-id": one.id, "aria-label": `threshold of ${one.name}`,
        "aria-orientation": "vertical", "aria-valuenow": value, "aria-valuetext": `${row.name} ${one.text}`,
        "aria-valuemin": row.low, "aria-valuemax": row.high,
      });
    }
    const node = sheet.put("lines", `threshold ${one.id}`, "line", attributes);
    node.onkeydown = one.is_free ? (event) => thresholdKey(event, row, one) : null;
    node.onblur = () => asked.delete(`threshold ${one.id}`);
    const words = hold?.id === one.id ? one.text.replace(/[^ ]+$/, brief(value, row.high - row.low)) : one.text;
    const text = `${words}${isOff ? " (off the chart)" : ""}`;
    const isInside = x2 - x1 > 150 || x2 > plan.width - 160;
    const place = isInside ? { x: Math.max(x1, Math.min(x2, plan.width - RIGHT) - 5), end: true } : { x: x2 + 5 };
    sheet.put("front", `words ${one.id}`, "text", {
      x: place.x, y: freeHeight(row, place, text, y, one.is_lower ? [12, -5] : [-5, 12]),
      class: `stelle-word wanted ${place.end ? "end" : ""}`,
    }, text);
  }

  // the height nearest to a threshold at which words cover neither other words nor a ring
  function freeHeight(row, place, text, y, sides) {
    const wide = 6.6 * text.length;
    const [left, right] = place.end ? [place.x - wide, place.x] : [place.x, place.x + wide];
    const isFree = (at) => (at < y - 2 || at > y + 10) && !written.some((box) => box.left < right && box.right > left && Math.abs(box.y - at) < LINE);
    const within = (at) => clamp(at, row.top + 10, row.bottom - 3);
    const tried = [0, 1, 2, 3, 4].flatMap((i) => sides.map((off) => within(y + off + Math.sign(off) * i * LINE)));
    const at = tried.find(isFree) ?? tried[0];
    written.push({ left, right, y: at });
    return at;
  }

  // the windows of a row and the height of each bar: one above the other
  function windowsOf(row) {
    return model.get("windows").filter((one) => one.key === row.key).map((one, i) => [one, row.bottom - 7 * i]);
  }

  function edgeOf(one, edge) {
    return hold?.kind === "window" && hold.id === one.id && hold.edge === edge ? hold.value : one[edge];
  }

  // where the ends of a window are drawn: half a sample outside, so that one sample can be seen and both taken
  function endsOf(one) {
    const half = Math.max(5, (plan.x(1) - plan.x(0)) / 2 || 5);
    const [start, end] = [edgeOf(one, "start"), edgeOf(one, "end")];
    const wide = end - start < 2 ? half : 0;
    return { start: Math.max(LEFT, plan.x(start) - wide), end: Math.min(plan.width - RIGHT, plan.x(end) + wide) };
  }

  function drawWindow(row, one, y) {
    const key = `window ${one.id} ${row.key}`;
    const x = endsOf(one);
    sheet.put("lines", key, "line", { x1: x.start, x2: x.end, y1: y, y2: y, class: "stelle-window" });
    for (const edge of one.is_free ? ["start", "end"] : []) {
      const range = edge === "start" ? one.first : one.last;
      if (!range) continue;
      const t = edgeOf(one, edge);
      sheet.put("back", `${key}/${edge}/line`, "line", {
        x1: x[edge], x2: x[edge], y1: row.top, y2: row.bottom, class: "stelle-window-end",
      });
      const node = sheet.put("front", `${key}/${edge}`, "rect", {
        x: x[edge] - 4, y: y - 8, width: 8, height: 16, rx: 2, class: "stelle-grip", tabindex: 0, role: "slider",
        "data-id": one.id, "data-edge": edge, "aria-label": `${edge} of the window of ${one.name}`,
        "aria-orientation": "horizontal", "aria-valuenow": t, "aria-valuetext": moment(t),
        "aria-valuemin": range[0], "aria-valuemax": range[1],
      });
      node.onkeydown = (event) => windowKey(event, one, edge, range);
      node.onblur = () => asked.delete(`window ${one.id}/${edge}`);
      if (hold?.kind !== "window" || hold.id !== one.id || hold.edge !== edge) continue;
      const isLate = x[edge] > plan.width - 80;
      sheet.put("front", `${key}/moment`, "text", {
        x: x[edge] + (isLate ? -8 : 8), y: y - 8, class: `stelle-word wanted ${isLate ? "end" : ""}`,
      }, moment(t));
    }
  }

  function cursorOf(row) {
    return clamp(cursors.get(row.key) ?? Math.floor(plan.n / 2), 0, plan.n - 1);
  }

  function drawCursor(row, key) {
    const t = cursorOf(row);
    const value = valueOf(row, t);
    const node = sheet.put("front", `${key}/cursor`, "circle", {
      cx: plan.x(t), cy: row.y(value), r: 5, class: "stelle-cursor", tabindex: 0, role: "slider",
      "data-channel": row.channel, "data-t": t, "aria-label": `${row.name}, point at ${moment(t)}`,
      "aria-orientation": "vertical", "aria-valuenow": value,
      "aria-valuetext": `${brief(value, row.high - row.low)} at ${moment(t)}`,
      "aria-valuemin": row.low, "aria-valuemax": row.high,
    });
    node.onkeydown = (event) => pointKey(event, row);
  }

  function drawTrace(trace, i) {
    const key = `trace ${i}`;
    drawAxis(trace, key, trace.name);
    for (const [sign, look] of [[1, "holding"], [-1, "failing"]]) {
      sheet.put("lines", `${key}/${look}`, "path", { d: side(trace.values, sign, plan.x, trace.y), class: look });
    }
    const points = trace.values.map((value, t) => [plan.x(t), trace.y(value)]);
    sheet.put("lines", `${key}/line`, "path", { d: course(points), class: "stelle-line trace" });
    const zero = trace.y(0);
    sheet.put("lines", `${key}/zero`, "line", {
      x1: LEFT, x2: plan.width - RIGHT, y1: zero, y2: zero, class: "stelle-zero",
    });
    if (trace.t !== null) {
      const t = Math.min(trace.t, plan.n - 1);
      sheet.put("front", `${key}/ring`, "circle", {
        cx: plan.x(t), cy: trace.y(trace.values[t]), r: 6, class: "stelle-ring",
      });
    }
  }

  function drawTime() {
    const axis = model.get("axis");
    const step = axis.step ?? 1;
    for (const [i, time] of ticks(0, (plan.n - 1) * step || 1, plan.width > 600 ? 10 : 5).entries()) {
      const x = plan.x(time / step);
      if (x > plan.width - RIGHT + 1) continue;
      sheet.put("back", `time${i}`, "line", { x1: x, x2: x, y1: plan.end, y2: plan.end + 4, class: "stelle-mark" });
      sheet.put("back", `time${i}/text`, "text", { x, y: plan.end + 15, class: "stelle-tick middle" }, brief(time));
    }
    const middle = (LEFT + plan.width - RIGHT) / 2;
    sheet.put("back", "time", "text", { x: middle, y: plan.end + 30, class: "stelle-tick middle" }, axis.title);
    if (hover === null) return;
    const t = clamp(Math.round(hover), 0, plan.n - 1);
    const x = plan.x(t);
    sheet.put("back", "hover", "line", { x1: x, x2: x, y1: HEAD, y2: plan.end, class: "stelle-hover" });
    const end = plan.width - RIGHT;
    for (const one of [...plan.rows, ...plan.traces]) {
      const value = "key" in one ? valueOf(one, t) : one.values[t];
      const text = `${brief(value, one.high - one.low)} at ${moment(t)}`;
      sheet.put("front", `hover ${one.top}`, "text", { x: end, y: one.top - 5, class: "stelle-tick end" }, text);
    }
  }

  function drawLegend() {
    legend.replaceChildren();
    for (const [kind, text] of model.get("legend")) {
      const entry = document.createElement("span");
      const swatch = document.createElement("i");
      swatch.className = `stelle-swatch ${kind}`;
      entry.append(swatch, text);
      legend.append(entry);
    }
  }

  // ---- hands --------------------------------------------------------------------------------------------

  function where(event) {
    const seen = svg.getBoundingClientRect();
    return [event.clientX - seen.left, event.clientY - seen.top];
  }

  const sampleAt = (x) => clamp((x - LEFT) / (plan.x(1) - plan.x(0) || 1), 0, plan.n - 1);
  const rowAt = (y) => plan.rows.find((row) => y >= row.top - 4 && y <= row.bottom + 4);
  const toValue = (row, y) => row.high - ((y - row.top) / (row.bottom - row.top)) * (row.high - row.low);

  function thresholdAt(row, x, y) {
    const t = Math.round(sampleAt(x));
    const signal = canEdit(row) ? Math.abs(y - row.y(valueOf(row, t))) : Infinity;
    const close = (one) => Math.abs(y - row.y(clamp(one.value, row.low, row.high)));
    const near = model.get("thresholds").filter(
      (one) => one.is_free && one.key === row.key && close(one) < REACH_OF_HAND &&
        x > plan.x(one.start) - REACH_OF_HAND && x < plan.x(one.end) + REACH_OF_HAND,
    );
    near.sort((a, b) => close(a) - close(b));
    return near.length && close(near[0]) <= signal ? near[0] : null;
  }

  // a window's end is taken at its grip; where the signal stays as it is, anywhere above it, too
  function windowAt(row, x, y) {
    const near = windowsOf(row).filter(([one]) => one.is_free).flatMap(([one, bar]) => {
      const ends = endsOf(one);
      return ["start", "end"].filter((edge) => edge === "start" ? one.first : one.last)
        .map((edge) => ({ one, edge, off: Math.abs(x - ends[edge]), far: Math.abs(y - bar) }));
    }).filter(({ off, far }) => off < REACH_OF_HAND && (far < 12 || !canEdit(row)));
    near.sort((a, b) => a.off + a.far - b.off - b.far);
    return near[0] ?? null;
  }

  function focusOn(key) {
    sheet.known.get(key)?.focus({ preventScroll: true });
  }

  svg.addEventListener("pointerdown", (event) => {
    const [x, y] = where(event);
    const row = rowAt(y);
    if (!row || event.button !== 0 || x < LEFT - 8) return;
    const end = windowAt(row, x, y);
    const threshold = thresholdAt(row, x, y);
    if (end) {
      const { one, edge } = end;
      const t = one[edge];
      hold = { kind: "window", row, one, id: one.id, edge, value: t, start: t, x };
      focusOn(`window ${one.id} ${row.key}/${edge}`);
    } else if (threshold) {
      hold = { kind: "threshold", row, id: threshold.id, value: threshold.value, y, start: threshold.value };
      focusOn(`threshold ${threshold.id}`);
    } else if (canEdit(row)) {
      const t = Math.round(sampleAt(x));
      cursors.set(row.key, t);
      hold = { kind: model.get("mode"), row, t, y, values: valuesOf(row), last: null };
      focusOn(`row ${row.key}/cursor`);
      if (hold.kind === "draw") drawTo(x, y);
    } else return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    ask();
  });

  svg.addEventListener("pointermove", (event) => {
    const [x, y] = where(event);
    hover = plan && x >= LEFT && x <= plan.width - RIGHT ? sampleAt(x) : null;
    if (hold?.kind === "draw") drawTo(x, y);
    else if (hold?.kind === "drag") dragTo(y);
    else if (hold?.kind === "window") windowTo(hold.start + Math.round(sampleAt(x) - sampleAt(hold.x)));
    else if (hold?.kind === "threshold") thresholdTo(hold.start + toValue(hold.row, y) - toValue(hold.row, hold.y));
    else if (plan) {
      const row = rowAt(y);
      const isEnd = row && windowAt(row, x, y);
      const isBar = row && thresholdAt(row, x, y);
      const hand = model.get("mode") === "draw" ? "crosshair" : "grab";
      svg.style.cursor = isEnd ? "ew-resize" : isBar ? "ns-resize" : row && canEdit(row) && x >= LEFT ? hand : "default";
    }
    ask();
  });

  function letGo() {
    if (!hold) return;
    if (hold.kind === "threshold" && hold.value !== hold.start) tellMoved({ id: hold.id, value: hold.value, done: true });
    if (hold.kind === "window" && hold.value !== hold.start) tellWindow(hold.one, hold.edge, hold.value, { done: true });
    hold = null;
    ask();
  }

  svg.addEventListener("pointerup", letGo);
  svg.addEventListener("pointercancel", letGo);
  svg.addEventListener("lostpointercapture", letGo);
  svg.addEventListener("pointerleave", () => {
    hover = null;
    ask();
  });

  // the point goes with the hand, its neighbours less the farther they are
  function move(row, t, values, by) {
    const reach = model.get("reach");
    for (let i = Math.max(0, t - reach); i <= Math.min(plan.n - 1, t + reach); i += 1) {
      const share = (1 + Math.cos((Math.PI * (i - t)) / (reach + 1))) / 2;
      change(row, i, by ? within(row, values[i] + share * by) : values[i]);
    }
    send();
  }

  function dragTo(y) {
    move(hold.row, hold.t, hold.values, toValue(hold.row, y) - toValue(hold.row, hold.y));
  }

  function drawTo(x, y) {
    const now = { t: Math.round(sampleAt(x)), value: toValue(hold.row, y) };
    const from = hold.last ?? now;
    const n = Math.abs(now.t - from.t);
    for (let i = 0; i <= n; i += 1) {
      const share = n ? i / n : 1;
      const t = from.t + Math.sign(now.t - from.t) * i;
      change(hold.row, t, within(hold.row, from.value + share * (now.value - from.value)));
    }
    hold.last = now;
    cursors.set(hold.row.key, now.t);
    send();
  }

  function thresholdTo(value) {
    hold.value = within(hold.row, value);
    tellMoved({ id: hold.id, value: hold.value });
  }

  function windowTo(t) {
    const [low, high] = hold.edge === "start" ? hold.one.first : hold.one.last;
    const value = clamp(t, low, high);
    if (value === hold.value) return;
    hold.value = value;
    tellWindow(hold.one, hold.edge, value, {});
  }

  // the bound of the interval: other operators and shapes add samples to it
  function tellWindow(one, edge, t, more) {
    tellMoved({ id: one.id, edge, value: t - (edge === "start" ? one.before : one.after), ...more });
  }

  function tellMoved(moved) {
    model.set("moved", moved);
    model.save_changes();
  }

  // ---- keys ---------------------------------------------------------------------------------------------

  function keyed(event, row) {
    const far = event.shiftKey ? 5 : 1;
    const by = (row.high - row.low) / 50;
    const steps = { ArrowUp: far, ArrowDown: -far, PageUp: 5, PageDown: -5 }[event.key];
    return steps === undefined ? null : steps * by;
  }

  function taken(event) {
    event.preventDefault();
    event.stopPropagation();
    ask();
  }

  function pointKey(event, row) {
    const t = cursorOf(row); // keys may come faster than the picture is drawn
    const by = keyed(event, row);
    const far = event.shiftKey ? 10 : 1;
    const next = { ArrowLeft: t - far, ArrowRight: t + far, Home: 0, End: plan.n - 1 }[event.key];
    if (by !== null) move(row, t, valuesOf(row), by);
    else if (next !== undefined) cursors.set(row.key, clamp(next, 0, plan.n - 1));
    else if (event.key === "Delete" || event.key === "Backspace") {
      edits.delete(at(row.channel, t));
      send();
    } else return;
    taken(event);
  }

  function thresholdKey(event, row, one) {
    const by = keyed(event, row);
    const key = `threshold ${one.id}`;
    const before = asked.get(key) ?? one.value;
    const value = by === null ? before : rounded(before + by, row.high - row.low);
    if (by === null && event.key !== "Enter") return;
    remember(key, value, by === null);
    tellMoved({ id: one.id, value, ...(by === null ? { done: true } : {}) });
    taken(event);
  }

  function remember(key, value, isDone) {
    if (isDone) asked.delete(key);
    else asked.set(key, value);
  }

  function windowKey(event, one, edge, [low, high]) {
    const far = event.shiftKey ? 5 : 1;
    const key = `window ${one.id}/${edge}`;
    const t = asked.get(key) ?? one[edge];
    const next = {
      ArrowLeft: t - far, ArrowDown: t - far, ArrowRight: t + far, ArrowUp: t + far, PageDown: t - 5, PageUp: t + 5,
      Home: low, End: high, Enter: t, Escape: t,
    }[event.key];
    if (next === undefined) return;
    const last = { Enter: { done: true }, Escape: { undone: true } }[event.key];
    const there = clamp(next, low, high);
    remember(key, there, last !== undefined);
    tellWindow(one, edge, there, last ?? {});
    taken(event);
  }

  // ---- following the kernel -----------------------------------------------------------------------------

  const follow = () => {
    takeEdits();
    ask();
  };
  const names = [
    "rows", "behind", "thresholds", "windows", "shapes", "marks", "traces", "holds", "axis", "label", "mode", "is_free",
  ];
  for (const name of names) model.on(`change:${name}`, ask);
  model.on("change:edits", follow);
  model.on("change:legend", drawLegend);
  const watch = new ResizeObserver(ask);
  watch.observe(el);
  takeEdits();
  drawLegend();
  draw();
  return () => watch.disconnect();
}

export default { render };
