// What a dashboard of this folder may be: Grafana's own types, made strict. Grafana leaves the
// options and the queries of a panel open in its type of a dashboard; here they are those of the
// panel's plugin and of the Prometheus data source.

import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus';
import type * as grafana from '@grafana/schema';
import type * as heatmap from '@grafana/schema/dist/esm/raw/composable/heatmap/panelcfg/x/HeatmapPanelCfg_types.gen';
import type * as stat from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type * as timeline from '@grafana/schema/dist/esm/raw/composable/statetimeline/panelcfg/x/StateTimelinePanelCfg_types.gen';
import type * as table from '@grafana/schema/dist/esm/raw/composable/table/panelcfg/x/TablePanelCfg_types.gen';
import type * as timeseries from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

/** The JSON of a `T`: the values of its enums as they are written. */
type Json<T> = 0 extends 1 & T // any
  ? T
  : T extends string
    ? `${T}`
    : T extends number | boolean | null | undefined
      ? T
      : T extends ReadonlyArray<infer Item>
        ? Array<Json<Item>>
        : T extends object
          ? { [Key in keyof T]: Json<T[Key]> }
          : T;

/** `T` with `Names` that must be there. */
type With<T, Names extends keyof T> = T & Required<Pick<T, Names>>;

type Query = Json<
  With<Omit<Dataquery, '_implementsDataqueryVariant'>, 'datasource' | 'refId' | 'range'>
>;

/** A link from a value, which Grafana's type leaves open. */
interface DataLink {
  title: string;
  url: string;
  targetBlank?: boolean;
}

/** The options of each field that all plugins have. */
interface Common extends Omit<grafana.FieldConfig, 'custom' | 'links'> {
  links?: DataLink[];
}

/** The options of some fields: of each its name, which says what values there are. */
type Property<Options, Prefix extends string> = {
  [Name in keyof Options & string]-?: { id: `${Prefix}${Name}`; value: Json<Options[Name]> };
}[keyof Options & string];

/** The options of each field; those of its plugin are in `custom`. */
interface FieldConfig<Custom> {
  defaults: Json<Common> & { custom?: Json<Partial<Custom>> };
  overrides: Array<{
    matcher: Json<grafana.MatcherConfig>;
    properties: Array<Property<Common, ''> | Property<Custom, 'custom.'>>;
  }>;
}

/** A panel of a plugin that Grafana has in its core. */
type Of<Type extends string, Options, Custom> = Json<
  Omit<
    With<grafana.Panel, 'datasource' | 'description' | 'gridPos' | 'id' | 'title'>,
    'fieldConfig' | 'options' | 'targets' | 'type'
  >
> & {
  type: Type;
  targets: Query[];
  options: Json<Options>;
  fieldConfig: FieldConfig<Custom>;
};

type Panel =
  | Of<'heatmap', heatmap.Options, heatmap.FieldConfig>
  | Of<'stat', stat.Options, Record<never, never>>
  | Of<'state-timeline', timeline.Options, timeline.FieldConfig>
  | Of<'table', table.Options, table.FieldConfig>
  | Of<'timeseries', timeseries.Options, timeseries.FieldConfig>;

type Row = Json<With<Omit<grafana.RowPanel, 'panels'>, 'gridPos' | 'title'>> & { panels: Panel[] };

type Variable = Json<With<grafana.VariableModel, 'description' | 'label'>>;

/** A dashboard, as JSON. */
export type Dashboard = Json<
  Omit<
    With<
      grafana.Dashboard,
      'description' | 'links' | 'refresh' | 'schemaVersion' | 'tags' | 'time' | 'title' | 'uid'
    >,
    'panels' | 'templating'
  >
> & {
  panels: Array<Panel | Row>;
  templating: { list: Variable[] };
};
