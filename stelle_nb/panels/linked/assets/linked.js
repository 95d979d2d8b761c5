// The view: cases, one case, and what speaks for its class, linked. All content comes from the kernel.

// A model that is not ready within two seconds, as on a busy machine, is deaf from then on: anywidget drops all
// that comes for it. So messages go past that check where the page allows it, and what was missed is asked for.
async function listen(model) {
  const whole = await model.widget_manager?.get_model?.(model.get("identity"));
  if (!whole?.comm) return;
  const kind = Object.getPrototypeOf(Object.getPrototypeOf(whole));
  whole.comm.on_msg(kind._handle_comm_msg.bind(whole));
  model.send("what is shown?");
}

function initialize({ model }) {
  listen(model).catch(() => {}); // other hosts have no such manager, and need none
}

// Whether a kernel can answer; a page that was made of a saved notebook has none.
async function hasKernel(model) {
  const whole = await model.widget_manager?.get_model?.(model.get("identity"));
  return whole?.comm_live !== false; // hosts with models of their own say nothing about it
}

const PATIENCE = 1000; // milliseconds in which the kernel answers, unless it is busy
const NO_KERNEL = "No kernel is running, so this view cannot change. Run the cell in a notebook to choose cases, rivals and reasons.";
const UNANSWERED = "The kernel is not answering: it is busy or has stopped. This view cannot change until it answers.";

let nLists = 0;

function render({ model, el }) {
  let count = model.get("wish").n ?? 0;
  let waiting = null;
  let timer = null;
  let sent = 0;
  let alarm = null;

  // a wish is sent at once; of wishes that come faster than the kernel answers, the last of each kind counts
  function wish(fields) {
    waiting = { ...waiting, ...fields };
    if (!timer) send();
  }

  function send() {
    clearTimeout(timer);
    timer = null;
    if (!waiting) return;
    const isBusy = model.get("answered") < count && performance.now() - sent < PATIENCE;
    if (isBusy) { // its answer sends the rest
      timer = setTimeout(send, PATIENCE);
      return;
    }
    count = Math.max(count, model.get("wish").n ?? 0) + 1;
    sent = performance.now();
    model.set("wish", { n: count, ...waiting });
    waiting = null;
    model.save_changes();
    clearTimeout(alarm);
    alarm = setTimeout(() => { if (model.get("answered") < count) sayStill(UNANSWERED); }, 10 * PATIENCE);
  }

  function answer() {
    if (model.get("answered") >= count && still.textContent === UNANSWERED) sayStill("");
    if (waiting) send();
  }

  const cases = new CaseListView(wish, wish);
  cases.id = nLists += 1;
  const signals = new SignalView();
  const hand = new HandView(signals, wish);
  const dials = new DialsView(wish);
  const sheet = new SheetView({
    point: (number) => signals.point(number),
    choose: (number) => wish({ row: number === model.get("shown").chosen ? null : number }),
  });

  const live = h("div", { class: "stl-unseen", role: "status", "aria-live": "polite" });
  const head = h("header", { class: "stl-head" });
  const verdict = h("div", { class: "stl-answer" });
  const ifs = h("div", { class: "stl-if", role: "group", "aria-label": "What if" });
  const still = h("p", { class: "stl-still", hidden: true });
  const bars = h("div", { class: "stl-bars", role: "group", "aria-label": "Classes: choose one to compare with" });
  const main = h("section", { class: "stl-this", "aria-label": "This case" }, verdict, bars, ifs, signals.element);
  const grid = h("div", { class: "stl-grid" }, cases.element, main, sheet.element, dials.element);
  const root = h("div", { class: "stelle-linked tex2jax_ignore mathjax_ignore", role: "region" }, head, still, grid, live);
  el.append(root);
  let areAllClasses = false;
  const lengths = new Map();

  function showHead() {
    const heading = model.get("heading");
    const status = model.get("status");
    root.setAttribute("aria-label", `Explorer of ${heading.name}`);
    const parts = [h("strong", {}, heading.name), h("span", { class: "stl-muted" }, heading.summary)];
    if (status.phase && status.phase !== "ready") {
      const row = h("span", { class: `stl-status stl-${status.phase}` });
      if (status.phase === "fitting") {
        row.append(h("progress", { max: "1", value: status.share > 0 ? status.share : null, "aria-label": "Fitting the model" }));
      }
      row.append(h("span", {}, status.text));
      if (status.can_cancel) row.append(h("button", { type: "button", "data-key": "cancel", on: { click: () => wish({ do: "cancel" }) } }, "Cancel"));
      if (status.phase !== "fitting") row.append(h("button", { type: "button", "data-key": "fit", on: { click: () => wish({ do: "fit" }) } }, "Fit a model"));
      parts.push(row);
    }
    keepFocus(head, () => head.replaceChildren(...parts));
  }

  function reason(kind, label, sentence) {
    return h("p", { class: "stl-because" }, label ? h("b", { class: kind }, `${label}: `) : null, sentence);
  }

  function showAnswer(content) {
    const said = content.verdict;
    const parts = [];
    if (!said) {
      parts.push(h("h3", {}, `Case ${content.number}`, h("small", {}, `true class: ${content.truth}`)));
      parts.push(h("p", { class: "stl-note" }, isWaiting(model.get("status")) ? "The explanation appears here as soon as the model is fitted."
        : "An explanation needs a model: \u201cFit a model\u201d, at the top, fits one."));
    } else {
      const truth = content.edited ? h("span", { class: "stl-was" }, content.was)
        : h("span", { class: said.is_right ? "stl-right" : "stl-mistake" }, said.is_right ? `\u2713 right` : `\u2717 wrong: it is ${said.truth}`);
      parts.push(h("h3", {}, h("span", { class: "stl-class" }, said.title), h("small", {}, said.chance), truth,
        h("small", { class: "stl-muted" }, `case ${content.number}${content.edited ? ", changed" : ""}`)));
      if (content.edited) parts.push(h("p", { class: "stl-edited" }, content.edited));
      if (said.warning) parts.push(h("p", { class: "stl-warning" }, said.warning));
      parts.push(reason("stl-for", said.why_label, said.why));
      if (said.against) parts.push(reason("stl-against", said.against_label, said.against));
    }
    verdict.replaceChildren(...parts);
    const spoken = said ? said.spoken : `Case ${content.number}, true class ${content.truth}.`;
    if (live.textContent !== spoken) live.textContent = spoken;
  }

  function showIfs() {
    const content = model.get("shown");
    const parts = [];
    if (content.verdict) {
      parts.push(h("button", { type: "button", class: "stl-link", "data-key": "flip", on: { click: () => wish({ do: "flip" }) } },
        `What would make it ${content.rival_name}?`));
      if (content.edited) parts.push(h("button", { type: "button", class: "stl-link", "data-key": "back", on: { click: () => wish({ do: "back" }) } }, "Undo the change"));
      parts.push(h("span", { class: "stl-note" }, model.get("note") || (content.edited ? "" : "Or drag the signal below and watch the prediction change.")));
    }
    keepFocus(ifs, () => ifs.replaceChildren(...parts));
  }

  function sayStill(text) {
    still.textContent = text;
    still.hidden = !text;
  }

  // a bar grows from where it was
  function fill(bar) {
    const before = lengths.get(bar.number) ?? bar.share;
    const made = h("span", { class: "stl-bar-fill", style: `width:${100 * before}%` });
    lengths.set(bar.number, bar.share);
    if (before !== bar.share) requestAnimationFrame(() => { made.style.width = `${100 * bar.share}%`; });
    return made;
  }

  function showBars(content) {
    const shown = areAllClasses || content.bars.length <= 6 ? content.bars
      : content.bars.filter((bar, i) => i < 5 || bar.role !== "other");
    const items = shown.map((bar) => h("button", {
      type: "button", class: `stl-class-bar stl-${bar.role}`, "data-key": `class-${bar.number}`, title: bar.name,
      "aria-pressed": String(bar.role === "rival"), disabled: bar.role === "class" ? true : null,
      "aria-label": bar.role === "class" ? `${bar.name}, ${bar.text}, the class that is explained` : `Compare with ${bar.name}, ${bar.text}`,
      on: { click: () => wish({ rival: bar.number }) },
    }, h("span", { class: "stl-bar-name" }, bar.name),
    h("span", { class: "stl-bar-track" }, fill(bar), bar.before === null ? null
      : h("span", { class: "stl-bar-was", style: `left:${100 * bar.before}%`, title: "before the change" })),
    h("span", { class: "stl-bar-text" }, bar.text),
    h("span", { class: "stl-role" }, bar.role === "rival" ? "rival" : "")));
    if (content.bars.length > 6) {
      const n = content.bars.length - shown.length;
      items.push(h("button", { type: "button", class: "stl-link", "data-key": "all-classes", "aria-expanded": String(areAllClasses),
        on: { click: () => { areAllClasses = !areAllClasses; showBars(model.get("shown")); } } },
      areAllClasses ? "show fewer classes" : `show all ${n + shown.length} classes`));
    }
    keepFocus(bars, () => bars.replaceChildren(...items));
  }

  function showCase() {
    const content = model.get("shown");
    if (!content.signals) return;
    if (cases.number !== content.number) cases.pick(content.number);
    showAnswer(content);
    showBars(content);
    showIfs();
    signals.show(content);
    hand.update(content);
    dials.show(content.dials);
    sheet.show(content, model.get("status"));
    root.dataset.shown = String(Number(root.dataset.shown ?? 0) + 1);
    root.dataset.case = `${content.part}-${content.number}`;
  }

  function showCases() {
    const content = model.get("cases");
    if (content.numbers) cases.show(content, model.get("heading"));
  }

  function showStatus() {
    showHead();
    const content = model.get("shown");
    if (!content.signals || content.sheet) return;
    sheet.show(content, model.get("status"));
    showAnswer(content);
  }

  const follow = { heading: showHead, cases: showCases, shown: showCase, status: showStatus,
    sharing: () => cases.share(model.get("sharing")), note: showIfs, answered: answer };
  for (const [name, act] of Object.entries(follow)) model.on(`change:${name}`, act);

  let wide = 0;
  const measure = new ResizeObserver(() => {
    const width = root.clientWidth;
    if (width === wide) return;
    wide = width;
    cases.turn(width >= 1100);
    signals.draw();
    cases.draw();
    cases.reveal();
  });
  measure.observe(root);
  const leaveTheme = followTheme(root);
  const leaveKeys = guardKeys(root);
  showHead();
  showCases();
  showCase();
  cases.share(model.get("sharing"));
  if (model.get("status").phase === "fitting") requestAnimationFrame(() => model.send("drawn"));
  hasKernel(model).then((isThere) => { if (!isThere) sayStill(NO_KERNEL); }).catch(() => {});
  return () => {
    clearTimeout(timer);
    clearTimeout(alarm);
    for (const [name, act] of Object.entries(follow)) model.off(`change:${name}`, act);
    measure.disconnect();
    leaveTheme();
    leaveKeys();
  };
}

export default { initialize, render };
