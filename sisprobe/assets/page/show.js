// A view in the document. What is there already is changed, not made anew, so that focus,
// selection and scrolling stay.

const byId = (id) => document.getElementById(id);

export function show(view) {
  document.documentElement.dataset.elapsed = view.elapsed;
  text(byId("measured"), view.measured);
  text(byId("fidelity"), view.fidelity[0]);
  byId("fidelity").title = view.fidelity[1];
  const policy = view.source.find((fact) => fact.name === "policy");
  text(byId("policy"), policy.value);
  text(byId("verdict"), view.health.verdict);
  byId("verdict").dataset.state = view.health.is_good ? "good" : "bad";
  pieces(byId("warnings"), view.warnings);
  byId("warnings").hidden = view.warnings.length === 0;
  const source = [{ name: "fidelity", value: view.fidelity.join(": ") }, ...view.source];
  facts(byId("source"), source);
  table(byId("probes"), view.health.probes);
  pieces(byId("lost"), view.health.lost);
  table(byId("groups"), view.groups, (cell, name) => link(cell, name, view.group?.name));
  if (view.group) showGroup(view.group);
  else text(byId("group-heading"), "There is no such group");
}

function showGroup(group) {
  text(byId("group-heading"), group.heading);
  document.title = `${group.name} – sisprobe`;
  facts(byId("facts"), group.facts);
  table(byId("times"), group.times);
  table(byId("outcomes"), group.outcomes);
  byId("outcomes").parentNode.hidden = group.no_outcomes !== null;
  text(byId("no-outcomes"), group.no_outcomes ?? "");
  byId("no-outcomes").hidden = group.no_outcomes === null;
  table(byId("predictions"), group.predictions);
  byId("predictions").parentNode.hidden = group.predictions.rows.length === 0;
  pieces(byId("policy-pieces"), group.policy);
  pieces(byId("efficiency"), group.efficiency);
  children(byId("histograms"), group.histograms, newHistogram, showHistogram);
}

function newHistogram() {
  const table = element("table", "histogram");
  table.append(element("caption"), element("thead"), element("tbody"));
  const head = element("tr");
  // For who does not see that the columns explain themselves.
  for (const name of ["range", "count", "predicted here"]) {
    const cell = heading("col");
    cell.append(element("span", "unseen", name));
    head.append(cell);
  }
  table.tHead.append(head);
  return table;
}

function showHistogram(table, histogram) {
  table.dataset.key = histogram.key;
  text(table.caption, `${histogram.title}: ${histogram.count} in all`);
  children(table.tBodies[0], histogram.rows, newRow, (line, row) => {
    const [label, count, bar] = line.cells;
    text(label, row.label);
    text(count, String(row.count));
    bar.firstChild.style.width = `${row.bar / 10}%`;
    text(bar.lastChild, row.mark ? `← ${row.mark}` : "");
    line.classList.toggle("marked", row.mark !== "");
  });
}

function newRow() {
  const line = element("tr");
  const label = element("th");
  label.scope = "row";
  const bar = element("td", "bar");
  bar.append(element("span", "fill"), element("span", "mark"));
  line.append(label, element("td"), bar);
  return line;
}

// `first` fills the first cell of a row where it is more than a text. Where a row has fewer cells than
// there are columns, its last one takes the room of the others.
function table(node, { columns, rows }, first = text) {
  if (!node.tHead.rows.length) node.tHead.append(element("tr"));
  children(node.tHead.rows[0], columns, () => heading("col"), text);
  children(node.tBodies[0], rows, () => element("tr"), (line, cells) => {
    const isFirst = (index) => index === 0;
    children(line, cells, (index) => (isFirst(index) ? heading("row") : element("td")),
      (cell, value, index) => {
        const span = index === cells.length - 1 ? columns.length - index : 1;
        if (cell.colSpan !== span) cell.colSpan = span;
        (isFirst(index) ? first : text)(cell, value);
      });
  });
}

function link(cell, name, current) {
  if (!cell.firstElementChild) cell.append(element("a"));
  const anchor = cell.firstElementChild;
  const href = `#${encodeURIComponent(name)}`;
  if (anchor.getAttribute("href") !== href) anchor.setAttribute("href", href);
  text(anchor, name);
  if (name === current) anchor.setAttribute("aria-current", "true");
  else anchor.removeAttribute("aria-current");
}

function facts(list, all) {
  const make = () => {
    const pair = element("div");
    pair.append(element("dt"), element("dd"));
    return pair;
  };
  children(list, all, make, (pair, { name, value }) => {
    text(pair.firstChild, name);
    text(pair.lastChild, value);
  });
}

function pieces(list, all) {
  children(list, all, () => element("li"), text);
}

// One child for each value: made by `make` where it is not there yet, then filled by `fill`.
function children(parent, values, make, fill) {
  while (parent.children.length > values.length) parent.lastElementChild.remove();
  values.forEach((value, index) => {
    if (!parent.children[index]) parent.append(make(index));
    fill(parent.children[index], value, index);
  });
}

function heading(scope) {
  const cell = element("th");
  cell.scope = scope;
  return cell;
}

function element(name, className = "", content = "") {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.textContent = content;
  return node;
}

function text(node, value) {
  if (node.textContent !== value) node.textContent = value;
}
