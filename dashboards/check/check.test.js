import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dashboards, ruleErrors, typeErrors } from './check.js';

const texts = dashboards();
const parsed = new Map([...texts].map(([name, text]) => [name, JSON.parse(text)]));
const uids = [...parsed.values()].map((dashboard) => dashboard.uid);
const FIRST = 'llc.json';

/** The first panel of a type. */
const panel = (dashboard, type) => dashboard.panels.find((one) => one.type === type);

/** The first override of how lines look. */
const override = (dashboard) =>
  dashboard.panels
    .flatMap((one) => one.fieldConfig?.overrides ?? [])
    .find((one) => one.properties[0].id.startsWith('custom.'));

// Each breaks a dashboard in one way.
const ILL_TYPED = {
  'an unknown property of a dashboard': (d) => (d.refreshes = '10s'),
  'no schema version': (d) => delete d.schemaVersion,
  'a schema version as text': (d) => (d.schemaVersion = '42'),
  'no uid': (d) => delete d.uid,
  'a panel type that is not known': (d) => (panel(d, 'stat').type = 'singlestat'),
  'a panel without a description': (d) => delete panel(d, 'stat').description,
  'a panel without a place': (d) => delete panel(d, 'heatmap').gridPos,
  'an unknown option of a panel': (d) => (panel(d, 'heatmap').options.yaxis = {}),
  'an option of another panel': (d) => (panel(d, 'timeseries').options.graphMode = 'area'),
  'a missing option of a panel': (d) => delete panel(d, 'timeseries').options.legend,
  'a value that an option cannot have': (d) =>
    (panel(d, 'timeseries').fieldConfig.defaults.custom.stacking.mode = 'stacked'),
  'an unknown option of fields': (d) => (panel(d, 'timeseries').fieldConfig.defaults.units = 's'),
  'a threshold that is text': (d) =>
    (panel(d, 'stat').fieldConfig.defaults.thresholds.steps[0].value = '0.85'),
  'a colour mode that there is not': (d) =>
    (panel(d, 'stat').fieldConfig.defaults.color.mode = 'rainbow'),
  'a mapping of an unknown type': (d) =>
    (panel(d, 'state-timeline').fieldConfig.defaults.mappings[0].type = 'values'),
  'an override of what there is not': (d) =>
    (override(d).properties[0].id = 'custom.lineStroke'),
  'an override with a value that cannot be': (d) => (override(d).properties[0].value = 'thick'),
  'a query without an expression': (d) => delete panel(d, 'stat').targets[0].expr,
  'a query with an unknown property': (d) => (panel(d, 'stat').targets[0].query = 'up'),
  'a query in a format that there is not': (d) => (panel(d, 'heatmap').targets[0].format = 'map'),
  'a variable of an unknown type': (d) => (d.templating.list[1].type = 'label_values'),
  'a variable that is sorted by a name': (d) => (d.templating.list[1].sort = 'natural'),
  'a link of an unknown type': (d) => (d.links[0].type = 'dashboard'),
  'a row without panels': (d) => delete panel(d, 'row').panels,
};

const AGAINST_RULES = {
  'an old schema version': (d) => (d.schemaVersion = 36),
  'two panels with one id': (d) => (d.panels[1].id = d.panels[2].id),
  'panels that overlap': (d) => (d.panels[2].gridPos = { ...d.panels[1].gridPos }),
  'a panel beyond the grid': (d) => (panel(d, 'heatmap').gridPos.x = 13),
  'a fixed range': (d) => (panel(d, 'heatmap').targets[0].expr = 'rate(a[5m])'),
  'a query of everything': (d) => (panel(d, 'heatmap').targets[0].expr = 'sisprobe_cpus{}'),
  'a variable that is not there': (d) => (panel(d, 'heatmap').title = 'LLC $llc'),
  'two queries with one refId': (d) => panel(d, 'stat').targets.push(panel(d, 'stat').targets[0]),
  'a link to nowhere': (d) => (d.links[0].url = '/d/sisprobe-core'),
  'a data source of its own': (d) => (panel(d, 'stat').targets[0].datasource.uid = 'abc'),
};

/** The first dashboard, broken. */
function broken(breaks) {
  const dashboard = structuredClone(parsed.get(FIRST));
  breaks(dashboard);
  return dashboard;
}

// Loading the types takes most of the time: all dashboards go through it together.
const all = new Map(texts);
for (const [what, breaks] of Object.entries(ILL_TYPED)) {
  all.set(what, JSON.stringify(broken(breaks), null, 2));
}
const errors = typeErrors(all);

test('there are dashboards', () => assert.ok(texts.size >= 2 && texts.has(FIRST)));
test('no two have one uid', () => assert.equal(new Set(uids).size, uids.length));
for (const [name, dashboard] of parsed) {
  test(`${name} fits Grafana's types`, () => assert.deepEqual(errors.get(name), []));
  test(`${name} keeps the rules`, () => assert.deepEqual(ruleErrors(dashboard, uids), []));
}
for (const what of Object.keys(ILL_TYPED)) {
  test(`refused: ${what}`, () => assert.notDeepEqual(errors.get(what), []));
}
for (const [what, breaks] of Object.entries(AGAINST_RULES)) {
  test(`refused: ${what}`, () => assert.notDeepEqual(ruleErrors(broken(breaks), uids), []));
}
