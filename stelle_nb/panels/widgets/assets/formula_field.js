// A line in which a formula is typed: names complete, and mistakes are shown under the place they are at.

const WORD = /[\p{L}\p{N}_`][\p{L}\p{N}_ `.\-]*$/u;
const MOST = 12;

function render({ model, el }) {
  const box = document.createElement("div");
  box.className = "stelle-field";
  const label = document.createElement("label");
  const input = document.createElement("input");
  const list = document.createElement("ul");
  const problem = document.createElement("pre");
  input.id = `stelle-field-${Math.random().toString(36).slice(2)}`; // each widget runs a copy of this script
  list.id = `${input.id}-list`;
  problem.id = `${input.id}-problem`;
  label.htmlFor = input.id;
  label.textContent = model.get("label");
  Object.assign(input, { type: "text", spellcheck: false, autocomplete: "off" });
  const roles = { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" };
  for (const [name, value] of Object.entries(roles)) input.setAttribute(name, value);
  input.setAttribute("aria-describedby", problem.id);
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Names to complete");
  list.hidden = true;
  problem.setAttribute("role", "alert");
  box.append(label, input, list, problem);
  el.append(box);
  let offers = [];
  let chosen = 0;

  // What stands before the caret may be the beginning of a name with spaces: the longest that fits is taken.
  function begun() {
    const before = input.value.slice(0, input.selectionStart);
    const whole = WORD.exec(before)?.[0] ?? "";
    const starts = [...whole.matchAll(/(^|[ `])(?=[\p{L}\p{N}_`])/gu)].map((match) => match.index + match[1].length);
    if (whole.startsWith("`")) starts.unshift(0);
    for (const start of starts) {
      const piece = whole.slice(start).replaceAll("`", "").toLowerCase();
      const found = piece && model.get("words").filter(([word, , name]) => fits(name, piece) && word !== whole.slice(start));
      if (found?.length) return { found, from: before.length - whole.length + start - (whole[start - 1] === "`" ? 1 : 0) };
    }
    return { found: [], from: 0 };
  }

  function fits(name, piece) {
    const low = name.toLowerCase();
    return low.startsWith(piece) || (piece.length > 1 && low.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(piece)));
  }

  function offer() {
    const { found, from } = begun();
    offers = found.slice(0, MOST).map(([word, hint]) => ({ word, hint, from }));
    chosen = 0;
    show();
  }

  function show() {
    list.replaceChildren();
    for (const [i, { word, hint }] of offers.entries()) {
      const item = document.createElement("li");
      item.id = `${list.id}-${i}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", i === chosen);
      const code = document.createElement("code");
      code.textContent = word;
      const words = document.createElement("span");
      words.textContent = hint;
      item.append(code, words);
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault(); // the field keeps the focus
        complete(i);
      });
      list.append(item);
    }
    list.hidden = offers.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (list.hidden) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `${list.id}-${chosen}`);
  }

  function close() {
    offers = [];
    show();
  }

  function complete(i) {
    const { word, from } = offers[i];
    const caret = input.selectionStart;
    let rest = input.value.slice(caret);
    if (rest.startsWith("`") && word.endsWith("`")) rest = rest.slice(1);
    input.value = `${input.value.slice(0, from)}${word}${rest}`;
    input.setSelectionRange(from + word.length, from + word.length);
    close();
    send();
  }

  function send() {
    model.set("text", input.value);
    model.save_changes();
  }

  input.addEventListener("input", () => {
    offer();
    send();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (list.hidden) {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      offerAll();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      chosen = (chosen + step + offers.length) % offers.length;
      show();
    } else if (event.key === "Enter" || event.key === "Tab") complete(chosen);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });

  function offerAll() {
    offer();
    if (offers.length) return;
    offers = model.get("words").map(([word, hint]) => ({ word, hint, from: input.selectionStart }));
    show();
  }

  function follow() {
    if (input.value !== model.get("text")) input.value = model.get("text");
  }

  function complain() {
    const text = model.get("problem");
    if (problem.textContent !== text) problem.textContent = text;
    input.setAttribute("aria-invalid", String(text !== ""));
  }

  model.on("change:text", follow);
  model.on("change:problem", complain);
  follow();
  complain();
}

export default { render };
