// The list of cases: only what is in sight is on the page, so that thousands stay quick.

const ACROSS = 176; // pixels that a case takes, beside others or below them
const DOWN = 46;

class CaseListView {
  constructor(choose, search) {
    this.choose = choose;
    this.cases = null;
    this.found = [];
    this.sharing = null;
    this.isDown = true;
    this.input = h("input", { type: "search", placeholder: "number or class", "aria-label": "Search cases by number or class",
      on: { input: () => this.filter() } });
    this.kind = h("select", { "aria-label": "Which cases to list", on: { change: () => this.filter() } });
    this.part = h("select", { "aria-label": "Unseen or training cases", on: { change: () => search({ part: this.part.value }) } });
    this.spacer = h("div", { class: "stl-spacer" });
    this.box = h("div", { class: "stl-list", role: "listbox", tabindex: "0", "data-key": "cases", "aria-label": "Cases",
      on: { scroll: () => this.draw(), keydown: (event) => this.press(event), click: (event) => this.click(event) } }, this.spacer);
    this.note = h("p", { class: "stl-note" });
    this.tools = h("div", { class: "stl-tools" }, this.part, this.kind, this.input);
    this.element = h("nav", { class: "stl-cases", "aria-label": "Cases" }, this.tools, this.note, this.box);
  }

  show(cases, heading) {
    this.cases = cases;
    this.names = heading.classes;
    this.part.replaceChildren(...heading.parts.map(([key, name]) => h("option", { value: key, selected: key === heading.part }, name)));
    this.part.disabled = heading.parts.length < 2;
    const wrong = cases.predictions.filter((found, i) => found !== cases.truths[i]).length;
    const before = this.kind.value;
    const kinds = [["", `all ${cases.total}`]];
    if (cases.predictions.length) kinds.push(["wrong", `${wrong} wrong`]);
    const n = (cases.differs ?? []).filter(Boolean).length;
    if (cases.differs) kinds.push(["differs", `${n} where card and model differ`]);
    kinds.push(...heading.order.map((k) => [`c${k}`, heading.classes[k]]));
    this.kind.replaceChildren(...kinds.map(([key, name]) => h("option", { value: key }, name)));
    this.kind.value = kinds.some(([key]) => key === before) ? before : "";
    this.filter();
  }

  filter() {
    if (!this.cases) return;
    const words = this.input.value.trim().toLowerCase();
    const kind = this.kind.value;
    const { numbers, truths, predictions } = this.cases;
    this.found = numbers.map((_, i) => i).filter((i) => {
      if (kind === "wrong" && predictions[i] === truths[i]) return false;
      if (kind === "differs" && !this.cases.differs?.[i]) return false;
      if (kind.startsWith("c") && truths[i] !== Number(kind.slice(1))) return false;
      if (!words) return true;
      if (/^\d+$/.test(words)) return String(numbers[i]).startsWith(words) || this.nameOf(truths[i]).toLowerCase().includes(words);
      return [truths[i], predictions[i]].some((k) => k !== undefined && this.nameOf(k).toLowerCase().includes(words));
    });
    this.tell();
    this.draw();
    this.reveal();
  }

  tell() {
    const n = this.found.length;
    const shared = this.sharing ? ` ${this.sharing.text}` : "";
    const head = n === this.cases.numbers.length ? "" : `${n} of ${this.cases.total} cases. `;
    const { predictions, truths, differs } = this.cases;
    const first = differs?.some(Boolean) ? "Cases on which card and model differ come first."
      : predictions.some((found, i) => found !== truths[i]) ? "Wrong ones come first: true class \u2192 predicted class." : "";
    this.note.textContent = `${head}Lines show ${this.cases.channel}. ${first}${shared} ${this.cases.note}`;
  }

  nameOf(k) {
    return k < 0 ? "another class" : this.names[k];
  }

  share(sharing) {
    this.sharing = sharing && sharing.cases ? { set: new Set(sharing.cases), text: sharing.text } : null;
    if (!this.cases) return;
    this.tell();
    this.draw();
  }

  turn(isDown) {
    if (this.isDown === isDown) return;
    this.isDown = isDown;
    this.box.setAttribute("aria-orientation", isDown ? "vertical" : "horizontal");
    this.draw();
    this.reveal();
  }

  pick(number) {
    this.number = number;
    this.draw();
    this.reveal();
  }

  draw() {
    if (!this.cases) return;
    const size = this.isDown ? DOWN : ACROSS;
    const length = this.found.length * size;
    this.spacer.style.cssText = this.isDown ? `height:${length}px;width:100%` : `width:${length}px;height:${DOWN + 2}px`;
    const start = this.isDown ? this.box.scrollTop : this.box.scrollLeft;
    const room = (this.isDown ? this.box.clientHeight : this.box.clientWidth) || 600;
    const first = Math.max(0, Math.floor(start / size) - 3);
    const last = Math.min(this.found.length, Math.ceil((start + room) / size) + 3);
    const items = [];
    for (let place = first; place < last; place += 1) items.push(this.item(place, size));
    if (!this.found.length) items.push(h("p", { class: "stl-note" }, "No case matches."));
    this.spacer.replaceChildren(...items);
    const here = this.found.findIndex((i) => this.cases.numbers[i] === this.number);
    if (here >= first && here < last) this.box.setAttribute("aria-activedescendant", `stl-case-${this.number}-${this.id}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  item(place, size) {
    const i = this.found[place];
    const { numbers, truths, predictions, sparks } = this.cases;
    const number = numbers[i];
    const isWrong = predictions.length > 0 && predictions[i] !== truths[i];
    const truth = this.nameOf(truths[i]);
    const said = isWrong ? `${truth}, predicted ${this.nameOf(predictions[i])}` : truth;
    const isOther = this.cases.differs?.[i];
    const note = isOther ? ", the imitated model says otherwise" : "";
    const isShared = this.sharing?.set.has(number);
    const svg = s("svg", { viewBox: "0 0 100 24", preserveAspectRatio: "none", class: "stl-spark", "aria-hidden": "true" });
    const heights = [...sparks[i]].map((letter) => letter.charCodeAt(0) - 33);
    const points = heights.map((value, t) => [(100 * t) / Math.max(1, heights.length - 1), 22.5 - (21 * value) / 89]);
    svg.append(s("path", { d: path(points), "vector-effect": "non-scaling-stroke" }));
    return h("div", {
      role: "option", id: `stl-case-${number}-${this.id}`, class: `stl-case${isWrong ? " stl-wrong" : ""}${isShared ? " stl-shares" : ""}`,
      "aria-selected": String(number === this.number), "aria-posinset": place + 1, "aria-setsize": this.found.length,
      "aria-label": `Case ${number}: ${said}${note}${isShared ? ", shares the chosen formula" : ""}`, "data-number": number, title: `case ${number}: ${said}${note}`,
      style: this.isDown ? `top:${place * size}px;height:${size - 2}px;left:0;right:0` : `left:${place * size}px;width:${size - 4}px;top:0;bottom:0`,
    }, h("span", { class: "stl-number" }, isOther ? `\u2260 ${number}` : String(number)), svg,
    h("span", { class: "stl-label" }, isWrong ? `\u2717 ${truth} \u2192 ${this.nameOf(predictions[i])}` : truth));
  }

  reveal() {
    const place = this.found.findIndex((i) => this.cases?.numbers[i] === this.number);
    if (place < 0) return;
    const size = this.isDown ? DOWN : ACROSS;
    const [start, room] = this.isDown ? ["scrollTop", this.box.clientHeight] : ["scrollLeft", this.box.clientWidth];
    const low = place * size;
    if (low < this.box[start]) this.box[start] = low;
    else if (low + size > this.box[start] + room) this.box[start] = low + size - room;
  }

  press(event) {
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 8, PageUp: -8, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || !this.found.length) return;
    event.preventDefault();
    event.stopPropagation();
    const place = this.found.findIndex((i) => this.cases.numbers[i] === this.number);
    const next = clamp(place < 0 ? 0 : place + step, 0, this.found.length - 1);
    this.take(this.cases.numbers[this.found[next]]);
  }

  click(event) {
    const item = event.target.closest("[data-number]");
    if (item) this.take(Number(item.dataset.number));
  }

  take(number) {
    if (number === this.number) return;
    this.pick(number);
    this.choose({ case: number });
  }
}
