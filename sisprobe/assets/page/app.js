// What is shown: which group, and when.

import { draw } from "./charts.js";
import { connect } from "./connection.js";
import { show } from "./show.js";

// The group stands behind the # of the address, so that it can be linked to; none there leaves
// the choice to the server.
function named() {
  const name = location.hash.slice(1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

// Links to a place within the page are no groups.
const isPlace = (name) => document.getElementById(name) !== null;

let group = isPlace(named()) ? "" : named();

function query() {
  return group ? `?group=${encodeURIComponent(group)}` : "";
}

const connection = connect(query, (view) => {
  show(view);
  if (view.group) draw(view.group);
});

window.addEventListener("hashchange", () => {
  if (isPlace(named())) return;
  group = named();
  connection.again();
});
