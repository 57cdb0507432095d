// The charts come from the server as SVG, and take their colours from style.css.

// Columns of the charts span 3 s; they need not be drawn more often.
const LEAST = 3000;

const charts = ["depth", "heatmap"];
let last = { name: null, at: 0, width: 0 };

export function draw(group) {
  for (const chart of charts) {
    setText(document.getElementById(`${chart}-words`), group.charts[chart]);
  }
  const width = Math.round(document.getElementById("depth").clientWidth);
  const now = performance.now();
  const isSame = last.name === group.name && last.width === width;
  if (width === 0 || (isSame && now - last.at < LEAST)) return;
  last = { name: group.name, at: now, width };
  for (const chart of charts) load(chart, group.name, width);
}

async function load(chart, group, width) {
  try {
    const query = new URLSearchParams({ group, width });
    const answer = await fetch(`chart/${chart}.svg?${query}`, {
      signal: AbortSignal.timeout(10000),
    });
    if (!answer.ok || last.name !== group) return;
    const text = await answer.text();
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (svg.localName !== "svg") return;
    svg.setAttribute("aria-hidden", "true");
    document.getElementById(chart).replaceChildren(document.importNode(svg, true));
  } catch {
    // That there is no connection is told elsewhere; the next view tries again.
    last.at = 0;
  }
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
