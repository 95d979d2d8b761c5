// The signals of the case, with what formulas ask of them.

const LEFT = 46;
const RIGHT = 10;
const TITLE = 18;
const [WIDE, TALL] = [8, 12]; // of a character

// where a formula begins to look: a change is seen from the value before it on
function beginOf(band) {
  return band.start - (["change", "size", "peak"].includes(band.kind) ? band.span : 0);
}

class SignalView {
  constructor() {
    this.svg = s("svg", { class: "stl-chart", role: "img" });
    this.legend = h("p", { class: "stl-legend" });
    this.canvas = h("div", { class: "stl-canvas" }, this.svg);
    this.element = h("div", { class: "stl-signals" }, this.legend, this.canvas);
    this.pointed = null;
    this.cursor = null; // where keys push: the key of a row, and a sample
    this.places = [];
    this.moved = new Map(); // courses that a hand or an animation shows, before the kernel has answered
    this.held = null; // rows and scales that stay while a hand moves a signal
  }

  show(content) {
    const before = this.content;
    this.content = content;
    if (!this.held) {
      this.moved.clear();
      if (before && before.number === content.number && before.part === content.part && before.edited !== content.edited) this.glide(before);
    }
    this.draw();
  }

  hold() {
    this.held = new Map(this.places.map(({ row }) => [row.key, row]));
  }

  release() {
    this.held = null;
    if (this.content) this.draw();
  }

  put(key, course) {
    cancelAnimationFrame(this.frame);
    this.moved.set(key, course);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  courseOf(row) {
    return this.moved.get(row.key) ?? row.case;
  }

  // from the signal that was shown to the one that is shown now, for the eye to follow
  glide(before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const ways = this.content.signals.rows.map((row) => [row, before.signals.rows.find((other) => other.key === row.key)])
      .filter(([row, was]) => was && was.case[0].length === row.case[0].length && was.case[1].some((value, i) => value !== row.case[1][i]));
    const start = performance.now();
    const target = this.content;
    const step = (now) => {
      if (this.content !== target || this.held) return;
      const share = clamp((now - start) / 900, 0, 1);
      const eased = share * share * (3 - 2 * share);
      for (const [row, was] of ways) {
        if (share < 1) this.moved.set(row.key, [row.case[0], row.case[1].map((value, i) => was.case[1][i] + eased * (value - was.case[1][i]))]);
        else this.moved.delete(row.key);
      }
      this.draw();
      if (share < 1) requestAnimationFrame(step);
    };
    if (ways.length) step(start);
  }

  point(number) {
    this.pointed = number;
    this.draw();
  }

  // the formula that is spoken of: pointed at, chosen, or else the first reason
  strong() {
    const rows = this.content.sheet?.rows ?? [];
    const drawn = (number) => rows.find((row) => row.number === number && row.bands.length);
    return drawn(this.pointed) ?? drawn(this.content.chosen) ?? drawn(this.content.verdict?.best) ?? rows.find((row) => row.bands.length) ?? null;
  }

  draw() {
    const { content } = this;
    if (!content) return;
    const width = Math.max(220, this.element.clientWidth || 600);
    const strong = this.strong();
    const chosen = content.sheet?.rows.find((row) => row.number === content.chosen);
    const rows = this.rowsToShow(chosen);
    const tall = rows.length <= 2 ? 128 : 96;
    const height = rows.length * (tall + TITLE + 8) + 34;
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.setAttribute("aria-label", this.label(rows, strong));
    const last = Math.max(1, content.signals.n_samples - 1);
    const x = (t) => LEFT + ((width - LEFT - RIGHT) * clamp(t, 0, last)) / last;
    this.words = s("g"); // above all lines
    this.written = []; // where words are: left, right, and height
    this.places = [];
    this.timeAt = (px) => clamp((px - LEFT) / Math.max(1, width - LEFT - RIGHT), 0, 1) * last;
    this.sampleAt = (px) => Math.round(this.timeAt(px));
    rows.forEach((row, i) => this.row(row, x, i * (tall + TITLE + 8) + TITLE, tall, strong, width));
    this.axis(x, last, rows.length * (tall + TITLE + 8) + 2, width);
    this.svg.append(this.words);
    this.explain(strong);
  }

  // a changed signal stays where it was taken, so rows do not jump under the hand
  rowsToShow(chosen) {
    const { content } = this;
    const name = `${content.part}-${content.number}`;
    const changed = content.signals.rows.filter((row) => row.changed.length).map((row) => row.key);
    const usual = [...new Set([...(chosen?.rows ?? []), ...content.signals.first])];
    const isKept = this.keysOf === name && (content.edited || this.held);
    const keys = (isKept ? [...new Set([...this.keys, ...changed])] : usual).slice(0, 4);
    const all = content.signals.rows;
    const rows = keys.map((key) => all.find((row) => row.key === key)).filter(Boolean);
    if (!isKept) Object.assign(this, { keys, keysOf: name });
    return rows.map((row) => {
      const held = this.held?.get(row.key);
      return held ? { ...row, low: held.low, high: held.high } : row;
    });
  }

  label(rows, strong) {
    const names = rows.map((row) => row.title).join(", ");
    const said = strong ? ` Marked: ${strong.sentence}` : "";
    return `Case ${this.content.number} over time: ${names}.${said}`;
  }

  row(row, x, top, tall, strong, width) {
    const y = (value) => top + tall - (tall * (clamp(value, row.low, row.high) - row.low)) / (row.high - row.low || 1);
    const place = { row, x, y, top, tall, width: width - RIGHT };
    this.places.push(place);
    this.svg.append(s("text", { x: LEFT, y: top - 6, class: "stl-title" }, row.title));
    this.svg.append(s("rect", { x: LEFT, y: top, width: width - LEFT - RIGHT, height: tall, class: "stl-frame" }));
    for (const value of ticks(row.low, row.high, 3)) {
      this.svg.append(s("text", { x: LEFT - 6, y: y(value) + 4, class: "stl-tick stl-end" }, brief(value)));
      this.svg.append(s("line", { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value), class: "stl-grid-line" }));
    }
    const sheet = this.content.sheet;
    const others = (sheet?.rows ?? []).filter((other) => other !== strong && other.reason);
    const bandsOf = (formula) => (formula?.bands ?? []).filter((band) => band.row === row.key);
    for (const other of others) for (const band of bandsOf(other)) this.band(band, other, place, false);
    for (const band of bandsOf(strong)) this.band(band, strong, place, true);
    for (const other of others) if (bandsOf(other).length) this.tag(bandsOf(other)[0], other, place);
    if (row.changed.length && row.changed[1] - row.changed[0] < 0.5 * this.content.signals.n_samples) {
      const left = x(row.changed[0]) - 2;
      this.svg.append(s("rect", { x: left, y: top, width: Math.max(4, x(row.changed[1]) + 2 - left), height: tall, class: "stl-changed" }));
    }
    if (row.rival.length) this.svg.append(s("path", { d: this.course(row.rival, x, y), class: "stl-line stl-rival" }));
    if (row.before.length) this.svg.append(s("path", { d: this.course(row.before, x, y), class: "stl-line stl-before" }));
    this.svg.append(s("path", { d: this.course(this.courseOf(row), x, y), class: "stl-line stl-own" }));
    if (strong?.deciding?.row === row.key) this.decide(strong, place);
    if (this.cursor?.key === row.key) {
      const at = { cx: x(this.cursor.t), cy: y(this.valueAt({ case: this.courseOf(row) }, this.cursor.t)) };
      this.svg.append(s("circle", { ...at, r: 7, class: "stl-cursor" }));
    }
  }

  course([times, values], x, y) {
    return path(times.map((t, i) => [x(t), y(values[i])]));
  }

  valueAt(row, t) {
    const [times, values] = row.case;
    let best = 0;
    for (let i = 1; i < times.length; i += 1) if (Math.abs(times[i] - t) < Math.abs(times[best] - t)) best = i;
    return values[best];
  }

  band(band, formula, place, isStrong) {
    const { x, y, top, tall, row } = place;
    const kind = `${formula.holds ? "stl-is-held" : "stl-is-failed"}${isStrong ? " stl-strong" : ""}`;
    const left = x(beginOf(band));
    const right = Math.max(x(band.end), left + 3);
    const put = (tag, attributes, text) => this.svg.append(s(tag, attributes, text));
    if (band.kind === "track") {
      const points = [...band.times.map((t, i) => [x(t), y(band.high[i])]), ...band.times.map((t, i) => [x(t), y(band.low[i])]).reverse()];
      put("path", { d: `${path(points)}Z`, class: `stl-region ${kind}` });
      if (isStrong && band.course.length) put("path", { d: this.course(band.course, x, y), class: `stl-line stl-smooth ${kind}` });
    } else if (band.kind === "level" || band.kind === "average") {
      const upper = band.high === null ? top : y(band.high);
      const lower = band.low === null ? top + tall : y(band.low);
      put("rect", { x: left, y: upper, width: right - left, height: Math.max(2, lower - upper), class: `stl-region ${kind}` });
      for (const edge of [band.low, band.high]) {
        if (edge === null) continue;
        put("line", { x1: left, x2: right, y1: y(edge), y2: y(edge), class: `stl-edge ${kind}${band.every ? "" : " stl-dash"}` });
        if (isStrong) this.word(edge === band.low ? `\u2265 ${brief(edge)}` : `\u2264 ${brief(edge)}`, right, y(edge), edge === band.low, kind, place.width);
      }
      if (band.kind === "average" && isStrong) this.mean(band, place);
    } else if (isStrong) this.jump(band, formula, place, kind);
    if (band.kind !== "track") put("line", { x1: left, x2: right, y1: top + tall, y2: top + tall, class: `stl-window ${kind}` });
  }

  // beside the window if there is room, else at its end
  word(text, x, y, isAbove, kind, width = 0) {
    const isBeside = x + 64 < width;
    const at = isBeside ? { x: x + 5, y: y + 4, class: `stl-word ${kind}` } : { x: x - 4, y: isAbove ? y - 4 : y + 12, class: `stl-word stl-end ${kind}` };
    const left = isBeside ? at.x : at.x - WIDE * text.length;
    this.written.push([left, left + WIDE * text.length, at.y]);
    this.words.append(s("text", at, text));
  }

  // the number of a reason, below words that are there already
  tag(band, formula, { x, top }) {
    const kind = formula.holds ? "stl-is-held" : "stl-is-failed";
    const text = formula.holds ? `${formula.reason}` : `${formula.reason} \u2717`;
    const left = x(beginOf(band)) + 4;
    const right = left + WIDE * text.length;
    let y = top + 12;
    const isTaken = ([from, to, at]) => from < right && to > left && Math.abs(at - y) < TALL;
    while (this.written.some(isTaken)) y += TALL;
    this.written.push([left, right, y]);
    this.words.append(s("text", { x: left, y, class: `stl-word ${kind}` }, text));
  }

  mean(band, { row, x, y }) {
    const [times, values] = row.case;
    const inside = values.filter((_, i) => times[i] >= band.start && times[i] <= band.end);
    if (!inside.length) return;
    const mean = inside.reduce((sum, value) => sum + value, 0) / inside.length;
    this.svg.append(s("line", { x1: x(band.start), x2: x(band.end), y1: y(mean), y2: y(mean), class: "stl-mean" }));
  }

  // a change that is asked for: from the value before, up or down by so much
  jump(band, formula, place, kind) {
    const { row, x, y } = place;
    const t = formula.deciding?.t ?? band.end;
    const put = (attributes) => this.svg.append(s("line", attributes));
    if (band.kind === "gap") {
      const other = this.content.signals.rows.find((each) => each.key === band.other);
      if (!other) return;
      this.svg.append(s("path", { d: this.course(other.case, x, y), class: "stl-line stl-other" }));
      const base = this.valueAt({ case: other.case }, t);
      put({ x1: x(t), x2: x(t), y1: y(base), y2: y(base + band.low), class: `stl-jump ${kind}` });
      this.word(`${brief(band.low)} above ${other.title}`, x(t) - 4, y(base + band.low), true, kind);
      return;
    }
    const base = this.valueAt(row, t - band.span);
    const steps = band.kind === "size" ? [band.high, -band.high] : [band.low ?? band.high];
    for (const step of steps) {
      put({ x1: x(t - band.span), x2: x(t), y1: y(base), y2: y(base), class: `stl-edge ${kind} stl-dash` });
      put({ x1: x(t), x2: x(t), y1: y(base), y2: y(base + step), class: `stl-jump ${kind}` });
    }
    const sign = band.kind === "size" ? "\u00b1" : steps[0] > 0 ? "+" : "";
    this.word(`${sign}${brief(steps[0])}`, x(t) - 4, y(base + steps[0]), steps[0] > 0, kind);
  }

  decide(strong, { row, x, y }) {
    const t = clamp(strong.deciding.t, 0, this.content.signals.n_samples - 1);
    const smooth = strong.bands.find((band) => band.row === row.key && band.course.length);
    this.svg.append(s("circle", { cx: x(t), cy: y(this.valueAt(smooth ? { case: smooth.course } : row, t)), r: 4.5, class: `stl-dot ${strong.holds ? "stl-is-held" : "stl-is-failed"}` }));
  }

  axis(x, last, top, width) {
    const { step, axis } = this.content.signals;
    const size = step ?? 1;
    for (const value of ticks(0, last * size, width > 480 ? 6 : 4)) {
      this.svg.append(s("text", { x: x(value / size), y: top + 9, class: "stl-tick stl-middle" }, brief(value)));
    }
    this.svg.append(s("text", { x: width - RIGHT, y: top + 25, class: "stl-tick stl-end" }, axis));
  }

  explain(strong) {
    const swatch = (kind, words) => h("span", {}, h("i", { class: `stl-swatch ${kind}`, "aria-hidden": "true" }), words);
    const parts = [swatch("stl-own", "this case")];
    if (this.content.rival >= 0 && this.content.signals.rows.some((row) => row.rival.length)) {
      parts.push(swatch("stl-rival", `a typical ${this.content.rival_name}`));
    }
    if (this.content.signals.rows.some((row) => row.before.length)) parts.push(swatch("stl-before", "before the change"));
    if (strong) {
      const holds = strong.holds ? "holds" : "fails";
      parts.push(swatch(strong.holds ? "stl-held" : "stl-failed", `${strong.words} (${holds})`));
      if (strong.bands.some((band) => band.course.length)) parts.push(swatch(`stl-smooth ${strong.holds ? "stl-is-held" : "stl-is-failed"}`, "this case, smoothed"));
      if (strong.deciding) parts.push(swatch(`stl-decides ${strong.holds ? "stl-is-held" : "stl-is-failed"}`, "the sample that decides"));
    }
    this.legend.replaceChildren(...parts);
  }
}
