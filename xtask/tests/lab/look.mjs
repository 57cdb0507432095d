// node look.mjs URL FOLDER: opens sisprobe's page in Chromium, leaves screenshots in FOLDER, and prints
// what was seen as JSON. It judges nothing.
//
// Chromium is driven by the DevTools protocol over a pipe (its file descriptors 3 and 4): messages of
// JSON, each ended by a zero byte.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [url, folder] = process.argv.slice(2);
const DEADLINE = 120_000;
const VIEWS = [
  { name: 'desktop', width: 1280, height: 900, dark: false },
  { name: 'desktop-dark', width: 1280, height: 900, dark: true },
  { name: 'phone', width: 375, height: 800, dark: false },
  { name: 'phone-dark', width: 375, height: 800, dark: true },
];

const profile = mkdtempSync(join(tmpdir(), 'sisprobe-browser-'));
const browser = spawn(
  'chromium',
  [
    '--headless=new',
    '--no-sandbox', // as root there can be none
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    'about:blank',
  ],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
);
process.on('exit', () => {
  browser.kill('SIGKILL');
  rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});
browser.on('error', fail);
browser.on('exit', () => fail(new Error('the browser has ended')));
setTimeout(() => fail(new Error(`not done after ${DEADLINE / 1000} s`)), DEADLINE).unref();

function fail(error) {
  console.error(error);
  process.exit(1);
}

const requests = [];
const problems = [];
const listeners = {
  'Network.requestWillBeSent': ({ request }) => requests.push(request.url),
  'Network.responseReceived': ({ response: { status, url } }) =>
    status >= 400 && problems.push(`${status} for ${url}`),
  // What the page itself gives up, as its stream when it is left, is none.
  'Network.loadingFailed': (failed) =>
    failed.canceled || problems.push(`a request failed: ${failed.errorText}`),
  'Log.entryAdded': ({ entry }) => problems.push(`${entry.level}: ${entry.text} ${entry.url ?? ''}`),
  'Runtime.consoleAPICalled': ({ type, args }) => problems.push(`${type}: ${JSON.stringify(args)}`),
  'Runtime.exceptionThrown': (thrown) => problems.push(JSON.stringify(thrown.exceptionDetails)),
};

let last = 0;
let unread = '';
const waiting = new Map();
browser.stdio[4].setEncoding('utf8').on('data', (text) => {
  const messages = (unread + text).split('\0');
  unread = messages.pop();
  for (const { id, method, params, result, error } of messages.map((one) => JSON.parse(one))) {
    listeners[method]?.(params);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve?.(result);
  }
});

function send(method, params = {}, sessionId = undefined) {
  return new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, { resolve, reject });
    browser.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
  });
}

const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
const page = (method, params) => send(method, params, sessionId);

// What the page shows at this moment, all of one view.
async function seen() {
  const expression = `({
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
  })`;
  const { result } = await page('Runtime.evaluate', { expression, returnByValue: true });
  return result.value;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// A look at the page, and the report of that very moment.
async function look() {
  for (;;) {
    const shown = await seen();
    const { report } = await (await fetch(new URL('api/v1/report', url))).json();
    if (shown.charts === 2 && shown.elapsed === report.elapsed) return { ...shown, report };
    await pause(100);
  }
}

for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page(`${domain}.enable`);
const views = [];
for (const { name, width, height, dark } of VIEWS) {
  const size = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
  await page('Emulation.setDeviceMetricsOverride', size);
  const scheme = { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' };
  await page('Emulation.setEmulatedMedia', { features: [scheme] });
  await page('Page.navigate', { url });
  // The page before this one is gone.
  await pause(500);
  const looks = [await look()];
  do looks[1] = await look();
  while (looks[1].elapsed === looks[0].elapsed);
  views.push({ name, looks });
  const { cssContentSize } = await page('Page.getLayoutMetrics');
  const whole = { x: 0, y: 0, width, height: cssContentSize.height, scale: 1 };
  for (const [suffix, options] of [['', {}], ['-whole', { captureBeyondViewport: true, clip: whole }]]) {
    const { data } = await page('Page.captureScreenshot', options);
    writeFileSync(join(folder, `${name}${suffix}.png`), Buffer.from(data, 'base64'));
  }
}
process.stdout.write(JSON.stringify({ views, requests, problems }), () => process.exit(0));
