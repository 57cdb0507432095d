// node look.mjs URL FOLDER: opens sisprobe's page in Chromium, leaves screenshots in FOLDER, and prints
// what was seen as JSON. It judges nothing.

import { VIEWS, end, evaluate, open, pause, takePictures } from '../browser/browser.mjs';

const [url, folder] = process.argv.slice(2);

// What the page shows at this moment, all of one view.
function seen() {
  return evaluate(`({
    elapsed: Number(document.documentElement.dataset.elapsed),
    group: document.querySelector('#groups a[aria-current]')?.textContent,
    connection: document.getElementById('connection').textContent,
    verdict: document.getElementById('verdict').textContent,
    charts: document.querySelectorAll('.chart svg').length,
    overhang: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    histograms: [...document.querySelectorAll('.histogram')].map((table) => ({
      key: table.dataset.key,
      rows: [...table.tBodies[0].rows].map((row) => [...row.cells].slice(0, 2).map((cell) => cell.textContent)),
    })),
  })`);
}

// A look at the page, and the report of that very moment.
async function look() {
  for (;;) {
    const shown = await seen();
    const { report } = await (await fetch(new URL('api/v1/report', url))).json();
    if (shown.charts === 2 && shown.elapsed === report.elapsed) return { ...shown, report };
    await pause(100);
  }
}

const views = [];
for (const view of VIEWS) {
  await open(url, view);
  const looks = [await look()];
  do looks[1] = await look();
  while (looks[1].elapsed === looks[0].elapsed);
  views.push({ name: view.name, looks });
  await takePictures(folder, view);
}
await end({ views });
