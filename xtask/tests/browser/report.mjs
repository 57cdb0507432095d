// node report.mjs URL FOLDER: opens a page of sisprobe report in Chromium, leaves screenshots in FOLDER,
// and prints what was seen as JSON. It judges nothing.

import { VIEWS, end, evaluate, open, pause, takePictures } from './browser.mjs';

const [url, folder] = process.argv.slice(2);

// What the page shows, all of one view. A box is what scrolls by itself: its table may be wider.
const SEEN = `({
  paper: getComputedStyle(document.body).backgroundColor,
  overhang: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  figures: [...document.querySelectorAll('figure')].map((figure) => {
    const { width, height } = figure.querySelector('.chart svg')?.getBoundingClientRect() ?? {};
    const marks = figure.querySelectorAll('.chart svg :is(path, polyline, rect, circle)').length;
    return { title: figure.querySelector('h3').textContent, width, height, marks };
  }),
  comparison: [...document.querySelectorAll('.compare table')].map((table) => ({
    caption: table.caption.textContent,
    rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
    told: table.querySelectorAll('.told').length,
    overhang: table.parentElement.scrollWidth - table.parentElement.clientWidth,
    box: getComputedStyle(table.parentElement).overflowX,
  })),
})`;

const views = [];
for (const view of VIEWS) {
  await open(url, view);
  while ((await evaluate('document.readyState')) !== 'complete') await pause(100);
  views.push({ name: view.name, ...(await evaluate(SEEN)) });
  await takePictures(folder, view);
}
await end({ views });
