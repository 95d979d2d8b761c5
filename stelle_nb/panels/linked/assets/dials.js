// The gammas: one in sight, the others a click away; each says what it changed.

class DialsView {
  constructor(wish) {
    this.wish = wish;
    this.known = new Map();
    this.first = h("div", { class: "stl-first-dial" });
    this.more = h("div", { class: "stl-more-dials" });
    this.element = h("div", { class: "stl-dials", role: "group", "aria-label": "Length of the explanation" }, this.first,
      h("details", {}, h("summary", { "data-key": "more-dials" }, "More ways to shorten it"), this.more));
  }

  show(dials) {
    this.element.hidden = dials.length === 0;
    dials.forEach((dial, i) => {
      if (!this.known.has(dial.name)) {
        const made = this.make(dial);
        this.known.set(dial.name, made);
        (i ? this.more : this.first).append(made.element);
      }
      this.update(this.known.get(dial.name), dial);
    });
  }

  make(dial) {
    const label = h("span", { class: "stl-dial-name" });
    const input = h("input", { type: "range", "data-key": dial.name });
    const left = h("span", { class: "stl-muted" });
    const right = h("span", { class: "stl-muted" });
    const effect = h("span", { class: "stl-effect", id: `stl-effect-${dial.name}-${Math.random().toString(36).slice(2)}` });
    const name = h("code", { class: "stl-gamma" });
    input.setAttribute("aria-describedby", effect.id);
    const tick = dial.can_be_off ? h("input", { type: "checkbox", "data-key": `${dial.name}-on`, "aria-label": `Use ${dial.name}` }) : null;
    const element = h("div", { class: "stl-dial" }, h("div", { class: "stl-dial-head" }, tick, label, name),
      h("div", { class: "stl-slide" }, left, input, right), effect);
    const parts = { element, label, input, left, right, effect, name, tick, isHeld: false };
    const tell = () => { // a key changes the value and ends the change at once
      if (input.value === parts.told) return;
      parts.told = input.value;
      this.wish({ [dial.name]: Number(input.value) });
    };
    input.addEventListener("input", () => {
      name.textContent = `${dial.name} = ${brief(Number(input.value))}`;
      if (dial.name !== "gamma_g") tell(); // the formula of a class takes seconds, so it is asked for at the end
    });
    input.addEventListener("change", tell);
    tick?.addEventListener("change", () => this.wish({ [dial.name]: tick.checked ? Number(input.value) : null }));
    return parts;
  }

  update(parts, dial) {
    const { label, input, left, right, effect, name, tick } = parts;
    const isOff = dial.value === null;
    label.textContent = dial.label;
    left.textContent = dial.left;
    right.textContent = dial.right;
    name.textContent = isOff ? dial.name : `${dial.name} = ${brief(dial.value)}`;
    Object.assign(input, { min: dial.low, max: dial.high, step: dial.step });
    const isHeld = input.getRootNode().activeElement === input;
    if (!isOff && !(isHeld && Math.abs(Number(input.value) - dial.value) < 1e-9)) input.value = dial.value;
    parts.told = String(dial.value);
    input.disabled = isOff || dial.disabled !== "";
    input.setAttribute("aria-label", `${dial.label}, from ${dial.left} to ${dial.right} (${dial.name})`);
    input.title = dial.disabled;
    if (tick) {
      tick.checked = !isOff;
      tick.disabled = isOff && dial.disabled !== "";
    }
    effect.textContent = dial.effect;
  }
}
