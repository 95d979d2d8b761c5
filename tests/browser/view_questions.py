"""What tests ask the page of the explorer's linked view."""

from __future__ import annotations

NAMELESS = """(root) => [...root.querySelectorAll(
  "select, input, button, [role=listbox], [role=option], [role=slider], svg[role=img]")]
  .filter((each) => !(each.getAttribute("aria-label") || each.labels?.length || each.textContent.trim()))
  .map((each) => each.outerHTML)"""

STICKING_OUT = """(root) => {
  const edge = root.getBoundingClientRect();
  return [...root.querySelectorAll("*")]
    .filter((each) => !each.closest(".stl-spacer, .stl-unseen, details:not([open])"))
    .filter((each) => each.getBoundingClientRect().right > edge.right + 1)
    .map((each) => `${each.tagName}.${each.getAttribute("class")}`)
    .concat(root.scrollWidth > root.clientWidth ? ["root"] : []);
}"""

# what of a panel is cut off or has to be scrolled to; fields and tables scroll by themselves
CUT = """(root) => [...root.querySelectorAll("*")]
  .filter((each) => each instanceof HTMLElement && each.checkVisibility())
  .filter((each) => !each.matches("select, input, textarea, .wide, .widget-tab-contents"))
  .filter((each) => getComputedStyle(each).overflowX !== "visible" && each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.className}: ${each.scrollWidth} of ${each.clientWidth}`)"""

# colours of all texts and marks, and of what is behind them; opacity is mixed in
COLOURS = """(root) => {
  const numbers = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const mix = (front, back, share) =>
    front.slice(0, 3).map((value, i) => share * value + (1 - share) * back[i]);
  const said = (colour) => `rgb(${colour.map(Math.round).join(", ")})`;
  const behind = (node) => {
    for (let each = node; each; each = each.parentElement) {
      const found = numbers(getComputedStyle(each).backgroundColor);
      if (found.length && found[3] !== 0) return found.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const all = (names) => [...root.querySelectorAll(names)];
  const hasText = (node) =>
    [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  const texts = all("*")
    .filter((node) => !node.closest("svg, .stl-unseen, option") && node.checkVisibility() && hasText(node))
    .map((node) => [node.className, getComputedStyle(node).color, said(behind(node))]);
  const words = all("svg text")
    .map((node) => [node.getAttribute("class"), getComputedStyle(node).fill, said(behind(root))]);
  const edges = ".stl-edge.stl-strong, path.stl-region.stl-strong";
  const lines = all(`.stl-line, ${edges}, .stl-spark path, .stl-stroke, .stl-asked`)
    .map((node) => {
      const look = getComputedStyle(node), back = behind(node.closest("svg").parentElement);
      const shown = mix(numbers(look.stroke), back, Number(look.strokeOpacity));
      return [node.getAttribute("class"), said(shown), said(back)];
    });
  const bars = all(".stl-bar, .stl-bar-fill").map((node) => {
    const look = getComputedStyle(node), back = behind(node.parentElement);
    return [node.className, said(mix(numbers(look.backgroundColor), back, Number(look.opacity))), said(back)];
  });
  const dots = all(".stl-dot").map((node) => {
    const look = getComputedStyle(node); // what fails is hollow
    return ["dot", node.matches(".stl-is-failed") ? look.stroke : look.fill, said(behind(root))];
  });
  return { texts: [...texts, ...words], marks: [...lines, ...bars, ...dots] };
}"""
