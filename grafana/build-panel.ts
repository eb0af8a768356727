import {
  MappingType,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type DynamicConfigValue,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard'
import {
  BigValueColorMode,
  BigValueTextMode,
  StackingConfigBuilder,
  StackingMode,
  VisibilityMode,
} from '@grafana/grafana-foundation-sdk/common'
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as TimelineBuilder } from '@grafana/grafana-foundation-sdk/statetimeline'
import { PanelBuilder as TableBuilder } from '@grafana/grafana-foundation-sdk/table'
import { PanelBuilder as ChartBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { SERIES_COLOURS } from './colours.ts'
import type { DashboardPlan, Look, PanelPlan, PanelQuery } from './panel-plan.ts'

type AnyBuilder = StatBuilder | ChartBuilder | TimelineBuilder | TableBuilder

/** Every query asks the Prometheus chosen at the top of its dashboard. */
export const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }
const HEIGHTS = { stat: 4, chart: 8, timeline: 8, table: 10 } as const

/** A panel as its plan says it. With one position only, legends do not repeat its name. */
export function buildPanel(plan: PanelPlan, positions: DashboardPlan['positions']): AnyBuilder {
  const queries = plan.queries.map((query) => ({ ...query, legend: legendOf(query, plan, positions) }))
  if (plan.kind === 'stat') return stat(plan, queries)
  if (plan.kind === 'table') return table(plan, queries)
  return plan.kind === 'chart' ? chart(plan, queries) : timeline(plan, queries)
}

function legendOf(
  { legend }: PanelQuery,
  { title }: PanelPlan,
  positions: DashboardPlan['positions'],
): string {
  const text = positions !== 'one' ? legend : legend.replace(/^\{\{position\}\} ?/, '')
  return text === '' ? title : text
}

function stat(plan: PanelPlan, queries: readonly PanelQuery[]): StatBuilder {
  const builder = dress(new StatBuilder(), plan)
    .noValue('unknown')
    .textMode(plan.showName === true ? BigValueTextMode.Name : BigValueTextMode.ValueAndName)
  const isColoured = plan.colours !== undefined || plan.words !== undefined
  if (!isColoured) builder.colorMode(BigValueColorMode.None)
  targets(queries).forEach((query) => builder.withTarget(query.instant()))
  return builder
}

function chart(plan: PanelPlan, queries: readonly PanelQuery[]): ChartBuilder {
  const builder = dress(new ChartBuilder(), plan).showPoints(VisibilityMode.Never)
  if (plan.stacked === true)
    builder.fillOpacity(30).stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'))
  for (const [ending, colour] of Object.entries(SERIES_COLOURS))
    builder.overrideByRegexp(`/(${ending})$/`, [
      { id: 'color', value: { mode: 'fixed', fixedColor: colour } },
    ])
  targets(queries).forEach((query) => builder.withTarget(query))
  return builder
}

function timeline(plan: PanelPlan, queries: readonly PanelQuery[]): TimelineBuilder {
  const builder = dress(new TimelineBuilder(), plan)
  targets(queries).forEach((query) => builder.withTarget(query))
  return builder
}

/** One line a position: the queries agree in that label and become the columns. */
function table(plan: PanelPlan, queries: readonly PanelQuery[]): TableBuilder {
  const builder = dress(new TableBuilder(), plan)
  const columns = Object.fromEntries(queries.map(({ legend }, index) => [`Value #${refId(index)}`, legend]))
  builder.withTransformation({ id: 'merge', options: {} })
  builder.withTransformation({
    id: 'organize',
    options: { excludeByName: { Time: true }, renameByName: { position: 'Position', ...columns } },
  })
  builder.overrideByName('Position', [
    {
      id: 'links',
      value: [
        {
          title: 'Look at this position',
          url: '/d/mizani-position?var-position=${__value.raw}&${datasource:queryparam}&${__url_time_range}',
        },
      ],
    },
  ])
  for (const query of queries) builder.overrideByName(query.legend, look(query))
  targets(queries).forEach((query) => builder.withTarget(query.instant().format(PromQueryFormat.Table)))
  return builder
}

function dress<Builder extends AnyBuilder>(builder: Builder, plan: PanelPlan): Builder {
  builder
    .title(plan.title)
    .description(plan.description)
    .datasource(DATASOURCE)
    .height(HEIGHTS[plan.kind])
    .span(plan.width)
  if (plan.unit !== undefined) builder.unit(plan.unit)
  if (plan.decimals !== undefined) builder.decimals(plan.decimals)
  if (plan.words !== undefined) builder.mappings(mappings(plan.words))
  if (plan.colours !== undefined)
    builder.thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps(plan.colours)))
  return builder
}

/** The same as overrides of one column. */
function look({ unit, decimals, words, colours }: PanelQuery): DynamicConfigValue[] {
  const properties: DynamicConfigValue[] = []
  if (unit !== undefined) properties.push({ id: 'unit', value: unit })
  if (decimals !== undefined) properties.push({ id: 'decimals', value: decimals })
  if (words !== undefined) properties.push({ id: 'mappings', value: mappings(words) })
  if (colours !== undefined)
    properties.push({ id: 'thresholds', value: { mode: 'absolute', steps: steps(colours) } })
  if (words !== undefined || colours !== undefined)
    properties.push({ id: 'custom.cellOptions', value: { type: 'color-background' } })
  return properties
}

function mappings(words: Look['words']): ValueMapping[] {
  const options = Object.fromEntries(
    Object.entries(words).map(([value, [text, color]], index) => [value, { text, color, index }]),
  )
  return [{ type: MappingType.ValueToText, options }]
}

function steps(colours: Look['colours']): { value: number | null; color: string }[] {
  return colours.map(({ from, colour }) => ({ value: from, color: colour }))
}

function targets(queries: readonly PanelQuery[]): readonly DataqueryBuilder[] {
  return queries.map(({ expr, legend }, index) =>
    new DataqueryBuilder().datasource(DATASOURCE).expr(expr).legendFormat(legend).refId(refId(index)),
  )
}

function refId(index: number): string {
  return String.fromCodePoint('A'.charCodeAt(0) + index)
}
