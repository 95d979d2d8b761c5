// A small picture for each idiom: what is asked for in one colour, a signal that does it in the other.

const GLYPHS = {
  above: { band: "M4 14H44", line: "M4 8C12 4 16 11 24 7S38 4 44 8" },
  below: { band: "M4 6H44", line: "M4 14C12 10 16 17 24 13S38 10 44 14" },
  reach: { dash: "M4 6H44", line: "M4 17H18L26 4L32 15H44" },
  "fall to": { dash: "M4 16H44", line: "M4 5H18L26 18L32 7H44" },
  band: { band: "M4 5H44M4 17H44", line: "M4 11C10 6 16 15 24 11S38 8 44 11" },
  hold: { dash: "M4 7H44", line: "M4 17H12L17 4H31L36 17H44" },
  return: { dash: "M4 6H44", line: "M4 16L10 4L16 16L23 4L30 16L36 4L44 16" },
  swing: { dash: "M4 5H44M4 17H44", line: "M4 11L9 3L17 19L25 3L33 19L40 3L44 11" },
  rise: { line: "M4 17H16L28 5H44", arrow: "M22 17V6M19 9L22 5.5L25 9" },
  fall: { line: "M4 5H16L28 17H44", arrow: "M22 5V16M19 13L22 16.5L25 13" },
  climb: { line: "M4 18L44 4" },
  descent: { line: "M4 4L44 18" },
  calm: { band: "M4 8H44M4 14H44", line: "M4 11H44" },
  spike: { line: "M4 17H19L24 3L29 17H44" },
  then: { line: "M4 17L11 5L18 17H28L36 5L44 12", arrow: "M20 11H27M25 9L27.5 11L25 13" },
  until: { band: "M4 7H26", line: "M4 12C10 9 16 14 26 12L32 3H44" },
  average: { band: "M4 11H44", line: "M4 15L10 6L17 15L24 6L31 15L38 6L44 13" },
  apart: { line: "M4 6C14 3 30 9 44 5", dash: "M4 16C14 13 30 19 44 15" },
  cross: { line: "M4 17C16 17 28 5 44 5", dash: "M4 10H44" },
  formula: { line: "M12 4L20 18M20 4L12 18M27 8H37M27 14H37" },
};

function drawGlyph(name, course, title) {
  const svg = s("svg", { viewBox: "0 0 48 22", class: "stl-glyph", "aria-hidden": "true" });
  svg.append(s("title", {}, title));
  if (course.length > 1) {
    const points = course.map((value, i) => [5 + (38 * i) / (course.length - 1), 18 - 14 * value]);
    svg.append(s("path", { d: path(points), class: "stl-tube" }), s("path", { d: path(points), class: "stl-stroke" }));
    return svg;
  }
  const parts = GLYPHS[name] ?? GLYPHS.formula;
  if (parts.band) svg.append(s("path", { d: parts.band, class: "stl-asked" }));
  if (parts.dash) svg.append(s("path", { d: parts.dash, class: "stl-asked stl-dash" }));
  svg.append(s("path", { d: parts.line, class: "stl-stroke" }));
  if (parts.arrow) svg.append(s("path", { d: parts.arrow, class: "stl-asked" }));
  return svg;
}
