// A button that sends what stands in the places for an answer along with the click.

async function render({ model, el }) {
  const button = document.createElement("button");
  button.className = "lm-Widget jupyter-widgets jupyter-button widget-button mod-primary";
  button.type = "button";
  button.style.width = "auto";
  button.textContent = model.get("description");
  button.title = model.get("tooltip");
  button.disabled = true;
  el.append(button);
  const places = await Promise.all(
    Object.entries(model.get("places")).map(async ([name, [id, trait]]) => {
      return [name, await model.widget_manager.get_model(id), trait];
    }),
  );
  button.onclick = () => {
    model.send({ given: Object.fromEntries(places.map(([name, place, trait]) => [name, place.get(trait)])) });
  };
  button.disabled = false;
}

export default { render };
