// Charts of the signals a formula uses: point to read values, drag to zoom, Escape to see all.
"use strict";
for (const [number, figure] of [...document.querySelectorAll("figure.charts")].entries()) {
  const behind = JSON.parse(document.getElementById("lines").textContent);
  const data = JSON.parse(figure.querySelector("script").textContent);
  const host = figure.querySelector(".plots");
  const readout = figure.querySelector(".readout");
  const WIDTH = 860, HEIGHT = 190, LEFT = 60, RIGHT = 10, TOP = 22, BOTTOM = 24;
  const last = data.n - 1;
  const view = { start: 0, end: Math.max(last, 1), cursor: null, target: data.target };
  const linesOf = (channel) => behind.channels[channel.channel];
  const isOwn = (line) => behind.labels[line] === view.target;

  const make = (kind, attributes, parent, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;  // never markup: names come from users
    if (parent) parent.appendChild(node);
    return node;
  };
  const short = (value, span) => {
    const more = Math.floor(Math.log10(Math.abs(value) / span));  // far from zero, more digits tell values apart
    return String(Number(value.toPrecision(more > 0 ? Math.min(15, 4 + more) : 4)));
  };
  const moment = (sample) => {
    if (data.step === null && data.unit === null) return `sample ${sample}`;
    return `${short(sample * (data.step ?? 1))} ${data.unit ?? ""}`.trim();
  };
  const xOf = (sample) => LEFT + (sample - view.start) / (view.end - view.start) * (WIDTH - LEFT - RIGHT);
  const sampleAt = (x) => {
    const sample = Math.round(view.start + (x - LEFT) / (WIDTH - LEFT - RIGHT) * (view.end - view.start));
    return Math.max(0, Math.min(last, sample));
  };

  const middle = (one) => one.times[0] + one.times.at(-1);
  const byTime = (ones) => [...ones].sort((a, b) => middle(a) - middle(b));

  const draw = (channel, index) => {
    const [low, high] = channel.frame;
    channel.span = high - low;
    const yOf = (value) => TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM);
    const svg = make("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, tabindex: 0, role: "img", "aria-label": channel.name,
    });
    const clip = `plot${number}-${index}`;
    const box = { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM };
    make("rect", box, make("clipPath", { id: clip }, svg));
    make("text", { x: LEFT, y: 14, class: "name" }, svg, channel.name);
    make("rect", { ...box, class: "frame" }, svg);
    for (const value of [low + (high - low) * 0.05, (low + high) / 2, high - (high - low) * 0.05])
      make("text", { x: LEFT - 6, y: yOf(value) + 4, class: "tick", "text-anchor": "end" }, svg, short(value, high - low));
    const ticks = make("g", {}, svg);
    const plot = make("g", { "clip-path": `url(#${clip})` }, svg);
    const cursor = make("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor" }, svg);
    const brush = make("rect", { y: TOP, height: box.height, class: "brush" }, svg);

    const course = (values, stride, kind, title) => {
      const points = values.map((value, i) => `${xOf(i * stride).toFixed(1)},${yOf(value).toFixed(1)}`);
      const line = make("polyline", { points: points.join(" "), class: kind }, plot);
      if (title) make("title", {}, line, title);
    };
    const area = (mark) => {
      const within = mark.times[0] < last ? mark.times : [last];  // a shape may go on, or begin, after the end
      const wide = within[0] !== within[within.length - 1];
      const times = wide ? within : [within[0] - 0.5, within[0] + 0.5];
      const edge = (values, otherwise) => times.map((_, i) => values ? values[Math.min(i, values.length - 1)] : otherwise);
      const top = edge(mark.high, high), bottom = edge(mark.low, low);
      const corners = [
        ...times.map((t, i) => [xOf(t), yOf(top[i])]),
        ...times.map((t, i) => [xOf(t), yOf(bottom[i])]).reverse(),
      ];
      const group = make("g", { class: mark.wanted ? "wanted" : "shunned" }, plot);
      make("title", {}, group, `${channel.name}: ${mark.text}`);
      make("polygon", { points: corners.map((c) => c.join(",")).join(" "), class: "mark" }, group);
      for (const values of [mark.low, mark.high])
        if (values) {
          const edges = edge(values).map((value, i) => `${xOf(times[i])},${yOf(value)}`);
          make("polyline", { points: edges.join(" "), class: "bound" }, group);
        }
    };
    const endsOf = (one) => [xOf(one.times[0] - 0.5), xOf(one.times.at(-1) + 0.5)];
    const stretch = (read) => {
      const [from, to] = endsOf(read);
      const width = Math.max(3, to - from);
      const shade = make("rect", { x: (from + to - width) / 2, y: TOP, width, height: box.height, class: "stretch" }, plot);
      make("title", {}, shade, `${channel.name}: ${read.text}`);
    };
    const ring = (one) => {
      const place = { cx: xOf(one.time), cy: yOf(channel.case[one.time]), r: one.whole ? 7 : 4.5 };
      const circle = make("circle", { ...place, class: "ring" }, plot);
      make("title", {}, circle, `${channel.name}: decides${one.whole ? "" : " a part"}, ${one.text}`);
    };
    const words = (ones) => {
      const taken = [];  // up to where each line is written: words that would meet stand above each other
      for (const one of byTime(ones)) {
        const [from, to] = endsOf(one);
        if (to < LEFT || from > WIDTH - RIGHT) continue;
        const half = 3.2 * one.text.length + 3;
        const x = Math.max(LEFT + half, Math.min(WIDTH - RIGHT - half, (from + to) / 2));
        const free = taken.findIndex((end) => end < x - half);
        const line = free < 0 ? taken.length : free;
        taken[line] = x + half;
        const place = { x, y: HEIGHT - BOTTOM - 5 - 13 * line, "text-anchor": "middle" };
        make("text", { ...place, class: "weight" }, plot, one.text);
      }
    };
    const redraw = () => {
      plot.replaceChildren();
      ticks.replaceChildren();
      for (const read of channel.reads) stretch(read);
      for (const own of [false, true])
        for (const [line, values] of linesOf(channel).entries())
          if (isOwn(line) === own) course(values, behind.stride, own ? "own" : "other", behind.labels[line]);
      for (const mark of channel.marks) area(mark);
      if (channel.case) course(channel.case, 1, "case", data.caption);
      for (const one of channel.decides) ring(one);
      words([...channel.reads, ...channel.marks.filter((mark) => mark.off)]);  // a bound that is seen needs none
      for (let i = 0; i <= 4; i++) {
        const sample = Math.round(view.start + (view.end - view.start) * i / 4);
        const anchor = i === 4 ? "end" : i === 0 ? "start" : "middle";
        make("text", { x: xOf(sample), y: HEIGHT - 7, class: "tick", "text-anchor": anchor }, ticks, moment(sample));
      }
      point();
    };
    const point = () => {
      const seen = view.cursor !== null && view.cursor >= view.start && view.cursor <= view.end;
      cursor.style.display = seen ? "" : "none";
      if (seen) { cursor.setAttribute("x1", xOf(view.cursor)); cursor.setAttribute("x2", xOf(view.cursor)); }
    };

    let pressed = null;
    const place = (event) => {
      const bounds = svg.getBoundingClientRect();
      return sampleAt((event.clientX - bounds.left) / bounds.width * WIDTH);
    };
    const letGo = () => { pressed = null; brush.setAttribute("width", 0); };
    svg.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      pressed = place(event);
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      read(place(event));
      if (pressed === null) return;
      const [from, to] = [pressed, view.cursor].sort((a, b) => a - b).map(xOf);
      brush.setAttribute("x", from);
      brush.setAttribute("width", to - from);
    });
    svg.addEventListener("pointerup", (event) => {
      const [from, to] = [pressed, place(event)].sort((a, b) => a - b);
      const dragged = pressed !== null && to - from >= 2;
      letGo();
      if (dragged) zoom(from, to);
    });
    // the browser takes a touch away to scroll the page, or a dialog opens: nothing was chosen
    for (const kind of ["pointercancel", "lostpointercapture"]) svg.addEventListener(kind, letGo);
    svg.addEventListener("pointerleave", () => { if (pressed === null) read(null); });
    svg.addEventListener("dblclick", () => zoom(0, last));
    svg.addEventListener("keydown", (event) => {
      const here = view.cursor ?? Math.round((view.start + view.end) / 2);
      const quarter = Math.max(1, Math.round((view.end - view.start) / 4));
      if (event.key === "ArrowRight") read(Math.min(last, here + 1));
      else if (event.key === "ArrowLeft") read(Math.max(0, here - 1));
      else if (event.key === "+") zoom(Math.max(0, here - quarter), Math.min(last, here + quarter));
      else if (event.key === "-" || event.key === "Escape") zoom(0, last);
      else return;
      event.preventDefault();
    });
    host.appendChild(svg);
    return { redraw, point };
  };

  const charts = data.channels.map(draw);
  const zoom = (start, end) => {
    view.start = start;
    view.end = Math.max(end, start + 1);
    for (const chart of charts) chart.redraw();
  };
  const read = (sample) => {
    view.cursor = sample;
    for (const chart of charts) chart.point();
    if (sample === null) { readout.textContent = data.hint; return; }
    const values = data.channels.map((channel) => `${channel.name} ${valueAt(channel, sample)}`);
    readout.textContent = [moment(sample), ...values].join("   ");
  };
  const valueAt = (channel, sample) => {
    if (channel.case) return `= ${short(channel.case[sample], channel.span)}`;
    const place = Math.round(sample / behind.stride);
    const own = linesOf(channel).filter((_, line) => isOwn(line)).map((values) => values[Math.min(place, values.length - 1)]);
    return own.length ? `from ${short(Math.min(...own), channel.span)} to ${short(Math.max(...own), channel.span)}` : "";
  };
  if (data.choices) {
    const choice = document.createElement("select");
    choice.setAttribute("aria-label", "class");
    for (const label of new Set(behind.labels)) choice.add(new Option(label));
    choice.addEventListener("change", () => { view.target = choice.value; zoom(view.start, view.end); });
    figure.querySelector("p").prepend(choice);
  }
  figure.querySelector(".reset").addEventListener("click", () => zoom(0, last));
  zoom(0, last);
  read(null);
}
