// A score card as a list to edit: buttons, numbers that can be moved, and an account of the last edit.

const PIXELS = 5; // that the hand moves for one step of a number

function element(tag, options = {}, ...children) {
  const { on = {}, ...attributes } = options;
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const [name, call] of Object.entries(on)) node.addEventListener(name, call);
  node.append(...children.filter((child) => child !== null));
  return node;
}

function render({ model, el }) {
  const head = element("div", { class: "stelle-card-head" });
  const list = element("ul", { class: "stelle-card-rows", "aria-label": "Formulas of the card" });
  const account = element("section", { class: "stelle-account", "aria-label": "What the last edit did", "aria-live": "polite" });
  const box = element("div", { class: "stelle-card-list", "data-lm-suppress-shortcuts": "true" }, head, list, account);
  el.append(box);
  let made = []; // what is shown of each row
  let hold = null; // the number that the hand holds
  let isLate = false; // whether the kernel sent rows while the hand held a number

  function wish(fields) {
    model.set("wish", { n: (model.get("wish").n ?? 0) + 1, ...fields });
    model.save_changes();
  }

  // ---- numbers ------------------------------------------------------------------------------------------

  function written(value, step) {
    if (Number.isInteger(step) && step === 1) return String(Math.max(0, Math.round(value)));
    const digits = Math.max(1, -Math.floor(Math.log10(step)));
    return value.toFixed(digits);
  }

  function textOf(row) {
    return made[row].pieces.map((piece) => piece.text).join("");
  }

  function setNumber(row, i, value) {
    const piece = made[row].pieces[i];
    piece.text = written(value, piece.step);
    piece.value = Number(piece.text);
    piece.node.textContent = piece.step === 1 ? piece.text : String(piece.value);
    piece.node.setAttribute("aria-valuenow", piece.value);
    made[row].item.classList.add("moving");
    made[row].isMoved = true;
    wish({ do: "draft", row, text: textOf(row) });
  }

  function apply(row) {
    if (!made[row]?.isMoved) return;
    made[row].isMoved = false;
    wish({ do: "apply", row, text: textOf(row) });
  }

  function discard(row) {
    hold = null;
    wish({ do: "choose", row });
    drawRows();
  }

  function numberNode(row, i, piece, isLocked) {
    const node = element("span", {
      class: "stelle-number", "data-i": i, role: "spinbutton", tabindex: isLocked ? undefined : "0", "aria-valuenow": piece.value,
      "aria-label": `${piece.hint} in formula ${row}`, "aria-disabled": isLocked ? "true" : undefined,
      title: isLocked ? "locked" : `${piece.hint}; drag, or use arrow keys and Enter`,
    }, piece.look);
    if (isLocked) return node;
    node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      node.setPointerCapture(event.pointerId);
      node.focus({ preventScroll: true });
      hold = { row, i, x: event.clientX, value: piece.value };
    });
    node.addEventListener("pointermove", (event) => {
      if (hold?.row !== row || hold.i !== i) return;
      const steps = Math.round((event.clientX - hold.x) / PIXELS);
      const value = hold.value + steps * piece.step;
      if (written(value, piece.step) !== piece.text) setNumber(row, i, value);
    });
    const letGo = () => {
      if (!hold) return;
      hold = null;
      if (made[row]?.isMoved) apply(row);
      if (isLate) drawRows();
    };
    node.addEventListener("pointerup", letGo);
    node.addEventListener("lostpointercapture", letGo);
    node.addEventListener("keydown", (event) => {
      const far = event.shiftKey ? 10 : 1;
      const steps = { ArrowUp: far, ArrowRight: far, ArrowDown: -far, ArrowLeft: -far, PageUp: 10, PageDown: -10 }[event.key];
      if (steps !== undefined) setNumber(row, i, made[row].pieces[i].value + steps * piece.step);
      else if (event.key === "Enter") apply(row);
      else if (event.key === "Escape") discard(row);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    node.addEventListener("blur", () => {
      if (!hold && made[row]?.isMoved) apply(row);
    });
    return node;
  }

  // ---- rows ---------------------------------------------------------------------------------------------

  function place() {
    const active = document.activeElement;
    if (!box.contains(active)) return null;
    const item = active.closest("[data-row]");
    return { row: item?.dataset.row, what: active.dataset.what, i: active.dataset.i };
  }

  function restore(before) {
    if (!before) return;
    const item = before.row === undefined ? head : list.children[Math.min(Number(before.row), list.children.length - 1)];
    const found = before.i === undefined ? item?.querySelector(`[data-what="${before.what}"]`) : item?.querySelector(`[data-i="${before.i}"]`);
    (found ?? item?.querySelector("button"))?.focus({ preventScroll: true });
  }

  function degreeBar(degree) {
    const bar = element("i", { class: degree >= 0 ? "holding" : "failing" });
    bar.style.cssText = `left:${degree >= 0 ? 50 : 50 + 50 * degree}%;width:${50 * Math.abs(degree)}%`;
    return bar;
  }

  function drawRows() {
    if (hold) {
      isLate = true;
      return;
    }
    isLate = false;
    const before = place();
    made = [];
    const items = model.get("rows").map((row, j) => {
      const pieces = row.pieces.map((piece) => ({ ...piece }));
      const formula = element("code", { class: "stelle-formula" });
      for (const [i, piece] of pieces.entries()) {
        piece.node = "value" in piece ? numberNode(j, i, piece, row.locked) : document.createTextNode(piece.look);
        formula.append(piece.node);
      }
      const meter = element("span", { class: "stelle-meter", "aria-hidden": "true" }, degreeBar(row.degree));
      const said = element("span", { class: "stelle-said" }, row.said);
      const sentence = element("div", { class: "stelle-sentence" }, row.sentence);
      const lock = element("button", {
        type: "button", "data-what": "lock", "aria-pressed": String(row.locked), title: row.locked ? "unlock" : "lock: it stays as it is",
        "aria-label": `lock formula ${j}`, on: { click: () => wish({ do: "lock", row: j }) },
      }, row.locked ? "locked" : "lock");
      const strike = element("button", {
        type: "button", "data-what": "strike", title: "strike out: take it off the card", "aria-label": `strike out formula ${j}`,
        disabled: row.locked, on: { click: () => wish({ do: "strike", row: j }) },
      }, "strike out");
      const show = element("button", {
        type: "button", class: "stelle-place", "data-what": "choose", "aria-label": `show formula ${j} in the signal`, title: "show it in the signal",
        on: { click: () => wish({ do: "choose", row: j }) },
      }, String(j));
      const words = element("div", { class: "stelle-words" }, formula, sentence,
        element("div", { class: "stelle-facts" }, element("span", {}, row.points), meter, said));
      const item = element("li", { "data-row": j, class: row.locked ? "locked" : "" }, show, words, element("div", { class: "stelle-buttons" }, lock, strike));
      made.push({ item, pieces, said, meter, sentence, isMoved: false });
      return item;
    });
    list.replaceChildren(...items);
    drawChosen();
    restore(before);
    box.dataset.drawn = String(Number(box.dataset.drawn ?? 0) + 1);
  }

  function drawChosen() {
    for (const [j, { item }] of made.entries()) item.classList.toggle("chosen", j === model.get("chosen"));
  }

  function drawLive() {
    const live = model.get("live");
    const row = made[live.row];
    if (live.reset !== undefined) {
      drawRows();
      return;
    }
    if (!row) return;
    row.said.textContent = live.said;
    row.meter.replaceChildren(degreeBar(live.degree));
    if (live.sentence) row.sentence.textContent = live.sentence;
    if (live.pieces && !hold && live.pieces.length === row.pieces.length) {
      for (const [i, piece] of live.pieces.entries()) {
        if (!("value" in piece) || row.pieces[i].node === document.activeElement) continue;
        Object.assign(row.pieces[i], { text: piece.text, value: piece.value });
        row.pieces[i].node.textContent = piece.look;
      }
    }
  }

  function drawHead() {
    const before = place();
    head.replaceChildren(
      element("button", { type: "button", "data-what": "undo", disabled: !model.get("can_undo"), title: "undo the last edit", on: { click: () => wish({ do: "undo" }) } }, "undo"),
      element("span", {}, `robustness on ${model.get("case")}`),
      element("span", { class: "stelle-status", role: "status" }, model.get("status")),
    );
    if (before && before.row === undefined && before.what) restore(before);
  }

  // ---- what the last edit did ---------------------------------------------------------------------------

  function drawAccount() {
    const said = model.get("account");
    account.hidden = !said.title;
    if (!said.title) {
      account.replaceChildren();
      return;
    }
    const cell = (tag, text, look) => element(tag, { class: look }, text);
    const lines = said.rows.map((row) => element("tr", { class: { 1: "rose", "-1": "fell" }[row.rise] },
      cell("th", row.name), cell("td", row.before), cell("td", `${row.after}${{ 1: " ▲", "-1": " ▼" }[row.rise] ?? ""}`)));
    const table = element("table", {}, element("thead", {}, element("tr", {}, cell("th", "accuracy"), cell("th", "before"), cell("th", "after"))),
      element("tbody", {}, ...lines));
    const marks = { 1: " ✓", "-1": " ✗" };
    const cases = said.cases.map((one) => element("button", { type: "button", "data-case": one.number, title: "show this case",
      on: { click: () => wish({ do: "case", case: one.number }) } }, `${one.text}${marks[one.right] ?? ""}`));
    const history = element("details", {}, element("summary", {}, `${said.history.length} edit${said.history.length === 1 ? "" : "s"} by hand`),
      element("ol", { reversed: true }, ...said.history.map((text) => element("li", {}, text))));
    account.replaceChildren(element("p", { class: "stelle-told" }, said.title), table,
      element("div", { class: "stelle-changed" }, element("p", {}, said.note), ...cases), history);
  }

  model.on("change:rows", drawRows);
  model.on("change:chosen", drawChosen);
  model.on("change:live", drawLive);
  model.on("change:account", drawAccount);
  for (const name of ["can_undo", "case", "status"]) model.on(`change:${name}`, drawHead);
  drawHead();
  drawRows();
  drawAccount();
}

export default { render };
