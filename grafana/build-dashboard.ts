import {
  AnnotationQueryBuilder,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
  VariableSort,
  type Dashboard,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { buildPanel, DATASOURCE } from './build-panel.ts'
import { CHOSEN, type DashboardPlan } from './panel-plan.ts'

const TAG = 'mizani'

/** A dashboard as Grafana reads it: its plan, the variables, marks and links that all of them share. */
export function buildDashboard(plan: DashboardPlan): Dashboard {
  const builder = new DashboardBuilder(plan.title)
    .uid(plan.uid)
    .description(plan.description)
    .tags([TAG, 'generated'])
    .editable()
    .timezone('browser')
    .refresh('10s')
    .time({ from: 'now-6h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(positionVariable(plan.positions))
    .link(
      new DashboardLinkBuilder('mizani')
        .type(DashboardLinkType.Dashboards)
        .tags([TAG])
        .keepTime(true)
        .includeVars(true),
    )
  for (const mark of marks()) builder.annotation(mark)
  let id = 0
  for (const row of plan.rows) {
    builder.withRow(new RowBuilder(row.title).id(++id))
    for (const panel of row.panels) builder.withPanel(buildPanel(panel, plan.positions).id(++id))
  }
  return builder.build()
}

function positionVariable(positions: DashboardPlan['positions']): QueryVariableBuilder {
  const variable = new QueryVariableBuilder('position')
    .label('Position')
    .datasource(DATASOURCE)
    .query('label_values(mizani_build_info, position)')
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
  // Grafana opens with the first option where nothing is chosen, and that is All where there is an All.
  if (positions !== 'all') return variable.multi(positions === 'first').includeAll(false)
  return variable.multi(true).includeAll(true).current({ text: 'All', value: '$__all' })
}

/** Halts are drawn from their beginning to their end, reloads as lines. */
function marks(): readonly AnnotationQueryBuilder[] {
  const mark = (name: string, colour: string) =>
    new AnnotationQueryBuilder().name(name).datasource(DATASOURCE).enable(true).iconColor(colour).step('60s')
  return [
    mark('Halts', 'red')
      .expr(`mizani_trading_state{${CHOSEN}, state="HALTED"} == 1`)
      .titleFormat('HALTED')
      .textFormat('{{position}}'),
    mark('Reloads', 'blue')
      .expr(`sum by (position, outcome) (increase(mizani_reloads_total{${CHOSEN}}[1m])) > 0`)
      .titleFormat('Configuration {{outcome}}')
      .textFormat('{{position}}'),
  ]
}
