// What if: a hand moves the signal, with the mouse or with keys, and the kernel says what the model makes of it.

const NEAR = 18; // pixels from the line in which it can be taken
let nStrokes = 0;

class HandView {
  constructor(signals, wish) {
    Object.assign(this, { signals, wish, stroke: null, cursor: null });
    this.element = h("div", {
      class: "stl-hand", role: "slider", tabindex: "0", "data-key": "hand", "aria-orientation": "horizontal", "aria-valuemin": "0",
      on: { pointerdown: (event) => this.take(event), pointermove: (event) => this.move(event), pointerup: () => this.leave(),
        pointercancel: () => this.leave(), keydown: (event) => this.press(event), focus: () => this.tell(), blur: () => this.show(null) },
    });
    // a finger on the line moves it; elsewhere it scrolls the page
    const touch = (event) => { if (this.near(event.touches[0])) event.preventDefault(); };
    this.element.addEventListener("touchstart", touch, { passive: false });
    this.element.setAttribute("aria-label", "What if: push the signal. Left and right choose a sample, up and down push it, "
      + "Page Up and Page Down choose the signal, Escape undoes all changes.");
    signals.canvas.append(this.element);
  }

  // the last content decides what can be moved: measured channels, once there is a model
  update(content) {
    this.element.hidden = !content.verdict;
    this.element.setAttribute("aria-valuemax", content.signals.n_samples - 1);
    this.tell();
  }

  get reach() {
    return Math.max(1, Math.round(0.025 * this.signals.content.signals.n_samples));
  }

  near(event) {
    const box = this.element.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const place = this.signals.places.find(({ top, tall, row }) => row.channel >= 0 && py >= top - NEAR && py <= top + tall + NEAR
      && this.touches(row, px, py));
    return place ? { row: place.row, tall: place.tall, t: this.signals.sampleAt(px), py } : null;
  }

  // where the line is steep, it passes the pointer between two samples
  touches(row, px, py) {
    const times = [px - NEAR, px, px + NEAR].map(this.signals.timeAt);
    const heights = times.flatMap((t) => [Math.floor(t), Math.ceil(t)]).map((t) => this.height(row, t));
    return py > Math.min(...heights) - NEAR && py < Math.max(...heights) + NEAR;
  }

  height(row, t) {
    const { y } = this.signals.places.find((place) => place.row.key === row.key);
    return y(this.signals.valueAt({ case: this.signals.courseOf(row) }, t));
  }

  take(event) {
    const found = this.element.hidden ? null : this.near(event);
    if (!found) return;
    this.element.setPointerCapture(event.pointerId);
    this.begin(found);
    this.stroke.start = found.py;
  }

  begin({ row, t, tall }) {
    nStrokes += 1;
    this.signals.hold();
    this.stroke = { id: `${nStrokes}-${Date.now()}`, row, t, size: (row.high - row.low) / tall, course: this.signals.courseOf(row), by: 0 };
  }

  move(event) {
    if (!this.stroke || this.stroke.start === undefined) {
      this.element.classList.toggle("stl-near", this.near(event) !== null);
      return;
    }
    const py = event.clientY - this.element.getBoundingClientRect().top;
    this.push((this.stroke.start - py) * this.stroke.size);
  }

  push(by) {
    const { stroke, reach } = this;
    stroke.by = by;
    const [times, values] = stroke.course;
    const share = (t) => (Math.abs(t - stroke.t) > reach ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * (t - stroke.t)) / (reach + 1)));
    this.signals.put(stroke.row.key, [times, values.map((value, i) => value + by * share(times[i]))]);
    this.wish({ drag: { stroke: stroke.id, channel: stroke.row.channel, t: stroke.t, by, reach } });
  }

  leave() {
    this.stroke = null;
    this.signals.release();
  }

  press(event) {
    if (this.element.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = this.signals.places.filter(({ row }) => row.channel >= 0);
    if (!rows.length) return;
    const last = this.signals.content.signals.n_samples - 1;
    const step = Math.max(1, Math.round(last / 100));
    const along = { ArrowLeft: -step, ArrowRight: step, Home: -last, End: last }[event.key];
    const across = { PageUp: -1, PageDown: 1 }[event.key];
    const up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (along === undefined && across === undefined && up === undefined && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") this.wish({ do: "back" });
    const place = Math.max(0, rows.findIndex(({ row }) => row.key === this.cursor?.key));
    if (along !== undefined || across !== undefined || !this.cursor) {
      const next = rows[clamp(place + (across ?? 0), 0, rows.length - 1)].row;
      this.cursor = { key: next.key, t: clamp((this.cursor?.t ?? Math.round(last / 2)) + (along ?? 0), 0, last) };
      this.leave();
    }
    if (up !== undefined) {
      const { row, tall } = rows[place];
      if (!this.stroke) this.begin({ row, t: this.cursor.t, tall });
      this.push(this.stroke.by + up * 0.05 * (this.stroke.row.high - this.stroke.row.low));
    }
    this.tell();
  }

  tell() {
    const { content } = this.signals;
    const row = content?.signals.rows.find((each) => each.key === this.cursor?.key) ?? this.signals.places[0]?.row;
    if (!row) return;
    const t = this.cursor?.t ?? 0;
    const step = content.signals.step ?? 1;
    this.element.setAttribute("aria-valuenow", t);
    const value = brief(this.signals.valueAt({ case: this.signals.courseOf(row) }, t));
    const unit = content.signals.unit ? ` ${content.signals.unit}` : "";
    this.element.setAttribute("aria-valuetext", `${row.title} at ${content.signals.step ? "" : "sample "}${brief(t * step)}${unit}: ${value}`);
    const isHere = this.element.getRootNode().activeElement === this.element;
    this.show(isHere && this.cursor ? { key: row.key, t } : null);
  }

  show(cursor) {
    if (cursor === null && !this.signals.cursor) return; // all is drawn already
    this.signals.cursor = cursor;
    this.signals.draw();
  }
}
