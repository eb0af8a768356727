import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
  VariableSort,
  type Dashboard,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { BigValueColorMode, BigValueTextMode, VisibilityMode } from '@grafana/grafana-foundation-sdk/common'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as ChartBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { OVERVIEW_ROWS } from './overview-rows.ts'
import type { PanelPlan } from './panel-plan.ts'

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }
const CHART_HEIGHT = 8
const STAT_HEIGHT = 4

/** The overview dashboard as Grafana reads it, made from the plans in overview-rows.ts. */
export function overviewDashboard(): Dashboard {
  const builder = new DashboardBuilder('mizani overview')
    .uid('mizani-overview')
    .description('The market that mizani makes: quote, fills, inventory, profit and loss, venue, core.')
    .tags(['mizani', 'generated'])
    .editable()
    .timezone('browser')
    .refresh('10s')
    .time({ from: 'now-6h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('position')
        .label('Position')
        .datasource(DATASOURCE)
        .query('label_values(mizani_build_info, position)')
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .sort(VariableSort.AlphabeticalAsc)
        .multi(true)
        .includeAll(true)
        .current({ text: 'All', value: '$__all' }),
    )
  let id = 0
  for (const row of OVERVIEW_ROWS) {
    builder.withRow(new RowBuilder(row.title).id(++id))
    for (const panel of row.panels) {
      builder.withPanel((panel.kind === 'stat' ? stat(panel) : chart(panel)).id(++id))
    }
  }
  return builder.build()
}

function stat(plan: PanelPlan): StatBuilder {
  const builder = new StatBuilder()
    .title(plan.title)
    .description(plan.description)
    .datasource(DATASOURCE)
    .unit(plan.unit)
    .noValue('unknown')
    .height(STAT_HEIGHT)
    .span(plan.width)
    .textMode(plan.showName === true ? BigValueTextMode.Name : BigValueTextMode.ValueAndName)
  if (plan.decimals !== undefined) builder.decimals(plan.decimals)
  if (plan.colours === undefined) builder.colorMode(BigValueColorMode.None)
  else builder.thresholds(thresholds(plan.colours))
  queries(plan).forEach((query) => builder.withTarget(query.instant()))
  return builder
}

function chart(plan: PanelPlan): ChartBuilder {
  const builder = new ChartBuilder()
    .title(plan.title)
    .description(plan.description)
    .datasource(DATASOURCE)
    .unit(plan.unit)
    .height(CHART_HEIGHT)
    .span(plan.width)
    .showPoints(VisibilityMode.Never)
  if (plan.decimals !== undefined) builder.decimals(plan.decimals)
  queries(plan).forEach((query) => builder.withTarget(query))
  return builder
}

function queries(plan: PanelPlan): readonly DataqueryBuilder[] {
  return plan.queries.map(({ expr, legend }, index) =>
    new DataqueryBuilder()
      .datasource(DATASOURCE)
      .expr(expr)
      .legendFormat(legend)
      .refId(String.fromCodePoint('A'.charCodeAt(0) + index)),
  )
}

function thresholds(colours: NonNullable<PanelPlan['colours']>): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps(colours.map(({ from, colour }) => ({ value: from, color: colour })))
}
