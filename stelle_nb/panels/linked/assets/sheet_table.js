// The score sheet: a row for each formula, each bar beginning where the one above ends.

class SheetView {
  constructor(act) {
    this.act = act; // point(number or null), choose(number)
    this.opened = new Set();
    this.element = h("section", { class: "stl-sheet", "aria-label": "What speaks for it and against it" });
  }

  show(content, status) {
    keepFocus(this.element, () => this.element.replaceChildren(...this.parts(content, status)));
  }

  parts(content, status) {
    const sheet = content.sheet;
    if (!sheet) return [h("h4", {}, "What speaks for it?"), this.waiting(status)];
    this.content = content;
    const isCard = sheet.kind === "points";
    const edges = [0, sheet.start, sheet.margin, ...sheet.rows.map((row) => row.end)];
    this.low = Math.min(...edges);
    this.high = Math.max(...edges);
    if (!(this.high > this.low)) this.high = this.low + 1;
    const parts = [h("h4", {}, isCard ? `Why ${content.target_name} and not ${content.rival_name}?` : `What speaks for ${content.target_name}?`)];
    if (isCard) {
      parts.push(h("p", { class: "stl-keys" },
        h("span", { class: "stl-for" }, `\u25b6 points for ${content.target_name}`), h("span", { class: "stl-against" }, `\u25c0 points for ${content.rival_name}`)));
    } else parts.push(h("p", { class: "stl-many" }, sheet.note));
    const lines = h("div", { class: "stl-rows", role: "group", "aria-label": "Formulas" });
    if (isCard && sheet.start_text !== "0") lines.append(this.begin(sheet));
    for (const group of ["for", "against", "none"]) {
      const members = sheet.rows.filter((row) => row.group === group);
      const open = members.filter((row) => row.is_open || this.opened.has(group) || row.number === content.chosen);
      lines.append(...open.map((row) => this.row(row, isCard)));
      const rest = members.filter((row) => !open.includes(row));
      if (rest.length) lines.append(this.fold(group, rest));
      else if (this.opened.has(group)) lines.append(this.unfold(group));
    }
    parts.push(lines);
    if (isCard) {
      parts.push(this.total(content, sheet));
      const note = this.foot(content, sheet);
      if (note) parts.push(h("p", { class: "stl-note stl-foot" }, note));
    }
    return parts;
  }

  // what bold means; a reason that sets the class apart from others need not do so from this rival
  foot(content, sheet) {
    const reasons = sheet.rows.filter((row) => row.reason);
    const n = reasons.length;
    if (!n) return "";
    const few = reasons.filter((row) => row.group === "none").length;
    const rest = few ? ` ${few === n ? (n === 1 ? "It makes" : "They make") : few === 1 ? "One of them makes" : `${few} of them make`} `
      + `no difference between ${content.target_name} and ${content.rival_name}.` : "";
    return `Numbered and in bold: the ${n === 1 ? "formula that speaks" : `${n} formulas that speak`} most for ${content.target_name} against all other classes.${rest}`;
  }

  waiting(status) {
    const words = isWaiting(status) ? "The formulas of the model appear here, each with its points." : "There is no model yet.";
    return h("p", { class: "stl-note stl-waiting" }, words);
  }

  at(value) {
    return (100 * (value - this.low)) / (this.high - this.low);
  }

  // from and to are where lines come from the row above and go to the row below, if they do
  bar(begin, end, kind, from = begin, to = end) {
    const [left, right] = [this.at(Math.min(begin, end)), this.at(Math.max(begin, end))];
    const line = (name, value) => value === null ? null : h("span", { class: name, style: `left:${this.at(value)}%` });
    return h("span", { class: "stl-track", "aria-hidden": "true" }, line("stl-zero", 0), line("stl-from", from), line("stl-to", to),
      h("span", { class: `stl-bar stl-${kind}`, style: `left:${left}%;width:${Math.max(0.8, right - left)}%` }));
  }

  row(row, isCard) {
    const { act } = this;
    const mark = row.holds ? "\u2713" : "\u2717";
    const meta = h("span", { class: "stl-meta" });
    if (isCard) meta.append(h("span", { class: row.holds ? "stl-holds" : "stl-fails" }, `${mark} ${row.clearly}`));
    if (row.when) meta.append(`${isCard ? " \u00b7 " : ""}${row.when}`);
    const side = row.group === "for" ? "for" : row.group === "against" ? "against" : "none";
    const name = isCard ? `${row.words}, ${row.when}: ${row.clearly}, ${row.text} points` : `${row.words}: carries ${row.text}`;
    return h("button", {
      type: "button", class: `stl-row${row.reason ? " stl-reason" : ""}`, "data-key": `row-${row.number}`, "aria-label": name,
      "aria-pressed": String(row.number === this.content.chosen), title: row.sentence,
      on: { click: () => act.choose(row.number), pointerenter: () => act.point(row.number), pointerleave: () => act.point(null),
        focus: () => act.point(row.number), blur: () => act.point(null) },
    },
    h("span", { class: "stl-place" }, row.reason ? String(row.reason) : ""),
    drawGlyph(row.glyph, row.course, row.sentence),
    h("span", { class: "stl-words" }, h("span", { class: "stl-brief" }, row.words), meta),
    this.bar(row.begin, row.end, isCard ? side : "for"), h("span", { class: "stl-points" }, row.text));
  }

  begin(sheet) {
    return h("div", { class: "stl-row stl-plain" }, h("span"), h("span"), h("span", { class: "stl-words" }, "every case starts with"),
      this.bar(0, sheet.start, "start", null), h("span", { class: "stl-points" }, sheet.start_text));
  }

  fold(group, rest) {
    const n = rest.length;
    const begin = rest[0].begin;
    const end = rest[n - 1].end;
    const many = `${n} other${n === 1 ? "" : "s"}`;
    const words = { for: `${many} for ${this.content.target_name}`, against: `${many} for ${this.content.rival_name}`,
      none: `${many} that make${n === 1 ? "s" : ""} no difference` }[group];
    const points = rest.reduce((sum, row) => sum + row.points, 0);
    const text = group === "none" ? "0" : `${points > 0 ? "+" : "\u2212"}${Math.abs(points).toFixed(this.content.sheet.decimals)}`;
    return h("button", { type: "button", class: "stl-row stl-fold", "data-key": `fold-${group}`, "aria-expanded": "false",
      on: { click: () => this.toggle(group) } },
    h("span"), h("span", { class: "stl-more", "aria-hidden": "true" }, "\u22ef"), h("span", { class: "stl-words" }, words),
    this.bar(begin, end, group), h("span", { class: "stl-points" }, text));
  }

  unfold(group) {
    return h("button", { type: "button", class: "stl-row stl-fold", "data-key": `fold-${group}`, "aria-expanded": "true",
      on: { click: () => this.toggle(group) } }, h("span"), h("span"), h("span", { class: "stl-words" }, "show fewer"), h("span"), h("span"));
  }

  toggle(group) {
    if (!this.opened.delete(group)) this.opened.add(group);
    this.show(this.content, {});
  }

  total(content, sheet) {
    const isAhead = sheet.margin >= 0;
    const words = isAhead ? `${content.target_name} leads ${content.rival_name}` : `${content.rival_name} leads ${content.target_name}`;
    return h("div", { class: "stl-row stl-plain stl-total" }, h("span"), h("span"), h("span", { class: "stl-words" }, words),
      this.bar(0, sheet.margin, isAhead ? "for" : "against", sheet.margin, null), h("span", { class: "stl-points" }, sheet.margin_text));
  }

  point(numbers) {
    for (const row of this.element.querySelectorAll("button.stl-row")) {
      row.classList.toggle("stl-pointed", numbers.has(row.dataset.key));
    }
  }
}
