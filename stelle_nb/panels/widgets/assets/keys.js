// Keys that a list of choices understands are its own: JupyterLab would take them for its cells. It does not
// look at keys pressed in an element that says so, and this runs before it does. Once on a page is enough.
if (!globalThis[Symbol.for("stelle_nb.keys")]) {
  globalThis[Symbol.for("stelle_nb.keys")] = true;
  const own = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", " ", "a"]);
  globalThis.addEventListener("keydown", (event) => {
    const list = event.target.closest?.(".stelle-panel select");
    const isForPage = (event.ctrlKey || event.metaKey) && !own.has(event.key); // such as saving the notebook
    list?.toggleAttribute("data-lm-suppress-shortcuts", !isForPage);
  }, true);
}

