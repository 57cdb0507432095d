// What is wrong with dashboards: by Grafana's types (see dashboard.ts), and by rules that types
// cannot tell.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultDashboard } from '@grafana/schema';
import ts from 'typescript';

/** Where the dashboards are. */
export const FOLDER = fileURLToPath(new URL('../grafana/', import.meta.url));

/** The columns of Grafana's grid. */
const COLUMNS = 24;

/** The text of each dashboard by the name of its file. */
export function dashboards() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return new Map(names.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
}

/**
 * What Grafana's types say against each of some dashboards, one line each; the line numbers are
 * those of the JSON. An empty list is a dashboard that fits.
 */
export function typeErrors(texts) {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const options = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noEmit: true,
    // The packages' own files are not what is checked.
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  // JSON is TypeScript; written in place it is checked for properties that are unknown, too.
  const declaration = "const dashboard: import('./dashboard').Dashboard = ";
  const sources = new Map();
  for (const [name, text] of texts) {
    sources.set(join(here, `${name}.ts`), `${declaration}${text.trimEnd()}; export {};`);
  }
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.readFile = (path) => sources.get(path) ?? readFile(path);
  host.getSourceFile = (path, target, ...rest) =>
    sources.has(path)
      ? ts.createSourceFile(path, sources.get(path), target)
      : getSourceFile(path, target, ...rest);
  const program = ts.createProgram([...sources.keys(), join(here, 'dashboard.ts')], options, host);

  // Types that cannot be found would let everything pass.
  const own = ts.getPreEmitDiagnostics(program, program.getSourceFile(join(here, 'dashboard.ts')));
  if (own.length > 0) {
    throw new Error(`dashboard.ts: ${own.map((one) => message(one)).join('\n')}`);
  }
  const errors = [...sources.keys()].map((path) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(path)).map((one) => message(one)),
  );
  return new Map([...texts.keys()].map((name, index) => [name, errors[index]]));
}

function message(diagnostic) {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
  if (diagnostic.file === undefined) {
    return text;
  }
  const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
  return `line ${line + 1}: ${text}`;
}

/** What is wrong with one dashboard beyond its types. `uids` are those of all dashboards. */
export function ruleErrors(dashboard, uids) {
  const errors = [];
  const expect = (fits, what) => fits || errors.push(what);
  const panels = dashboard.panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]);
  expect(unique(panels.map((panel) => panel.id)), 'two panels have the same id');
  expect(
    dashboard.schemaVersion === defaultDashboard.schemaVersion,
    `its schema version is not Grafana's, ${defaultDashboard.schemaVersion}`,
  );
  expect(dashboard.tags.includes('sisprobe'), 'the links between dashboards go by the tag sisprobe');

  const taken = new Map();
  for (const { id, title, gridPos } of panels) {
    expect(gridPos.x >= 0 && gridPos.x + gridPos.w <= COLUMNS, `${title}: beyond the grid`);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        const other = taken.get(`${x} ${y}`);
        expect(other === undefined, `${title} (${id}) lies over panel ${other}`);
        taken.set(`${x} ${y}`, id);
      }
    }
  }

  const variables = dashboard.templating.list.map((variable) => variable.name);
  const known = new Set([...variables, '__rate_interval', '__url_time_range', '__field', '__data']);
  for (const [, name] of JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)) {
    expect(name === '__all' || known.has(name), `there is no variable ${name}`);
  }
  for (const name of ['datasource', 'job', 'instance', 'group']) {
    expect(variables.includes(name), `it has no variable ${name}`);
  }
  for (const [, uid] of JSON.stringify(dashboard).matchAll(/"\/d\/([\w-]+)/g)) {
    expect(uids.includes(uid), `a link leads to ${uid}, which is no dashboard here`);
  }

  for (const { title, description, type, targets = [] } of panels) {
    if (type === 'row') {
      continue;
    }
    expect(description.length > 20, `${title}: its description says nothing`);
    expect(targets.length > 0, `${title}: has no query`);
    expect(unique(targets.map((target) => target.refId)), `${title}: two queries have one refId`);
    for (const { expr, datasource } of targets) {
      expect(datasource.uid === '${datasource}', `${title}: a data source of its own`);
      for (const [, range] of expr.matchAll(/\[(.*?)\]/g)) {
        expect(range === '$__rate_interval', `${title}: a range of ${range}`);
      }
      for (const [selector, matchers] of expr.matchAll(/\w+\{(.*?)\}/g)) {
        const chosen = matchers.includes('job=~"$job", instance=~"$instance"');
        expect(chosen, `${title}: ${selector} does not go by the variables`);
      }
    }
  }
  return errors;
}

function unique(values) {
  return new Set(values).size === values.length;
}
