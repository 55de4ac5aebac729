"use strict";

const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

const kindOf = (schema) => {
  if (schema.enum) return schema.enum.map(String).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  return schema.type || "anything";
};

const table = (title, rows) => {
  const block = document.createDocumentFragment();
  block.append(element("h3", title));
  const made = element("table");
  const head = element("tr");
  for (const name of ["name", "type", "needed", "meaning"]) head.append(element("th", name));
  made.append(head);
  for (const row of rows) {
    const line = element("tr");
    for (const cell of row) line.append(element("td", cell));
    made.append(line);
  }
  block.append(made);
  return block;
};

const route = (path, method, operation) => {
  const made = element("details");
  const summary = element("summary");
  summary.append(
    element("span", method.toUpperCase(), `method ${method}`),
    element("code", path),
    element("span", operation.summary),
  );
  made.append(summary);
  const inside = element("div");
  const parameters = operation.parameters || [];
  if (parameters.length) {
    inside.append(table("Path, query and headers", parameters.map((one) =>
      [`${one.name} (${one.in})`, kindOf(one.schema), one.required ? "yes" : "", one.description || ""])));
  }
  const body = operation.requestBody && operation.requestBody.content["application/json"];
  const fields = body && body.schema.properties;
  if (fields) {
    const needed = new Set(body.schema.required || []);
    inside.append(table("Body", Object.entries(fields).map(([name, schema]) =>
      [name, kindOf(schema), needed.has(name) ? "yes" : "", schema.description || ""])));
  } else if (operation.requestBody) {
    inside.append(element("h3", "Body"), element("p", Object.keys(operation.requestBody.content).join(", ")));
  }
  inside.append(element("h3", "Answers"));
  for (const [status, answer] of Object.entries(operation.responses)) {
    inside.append(element("div", `${status}  ${answer.description}`));
    const json = answer.content && answer.content["application/json"];
    if (json && Number(status) < 300) inside.append(element("pre", JSON.stringify(json.schema, null, 2)));
  }
  made.append(inside);
  made.dataset.words = `${method} ${path} ${operation.summary}`.toLowerCase();
  return made;
};

const show = (told) => {
  document.getElementById("about").textContent = `${told.info.description} Version ${told.info.version}.`;
  const main = document.getElementById("routes");
  main.replaceChildren();
  for (const tag of told.tags) {
    const section = element("section");
    section.append(element("h2", tag.name));
    for (const [path, methods] of Object.entries(told.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (operation.tags.includes(tag.name)) section.append(route(path, method, operation));
      }
    }
    main.append(section);
  }
  document.getElementById("find").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/);
    for (const one of main.querySelectorAll("details")) {
      one.hidden = !words.every((word) => one.dataset.words.includes(word));
    }
    for (const section of main.querySelectorAll("section")) {
      section.hidden = !section.querySelector("details:not([hidden])");
    }
  });
};

fetch("/openapi.json", { credentials: "same-origin" })
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`status ${answer.status}`))))
  .then(show)
  .catch((error) => {
    document.getElementById("routes").replaceChildren(element("p", `The routes could not be read: ${error.message}`));
  });
