import { useMemo } from 'preact/hooks'
import type { ChartSpec } from '../charts/chart-lines.ts'
import { TimeChartView } from '../charts/time-chart.tsx'
import { Panel } from '../panel.tsx'
import { shownAge, shownDecimal, shownTime } from '../text.ts'
import type { ShownTreasury } from './use-treasury.ts'

type Forecast = NonNullable<ShownTreasury['plan']>['forecast'][number]

/** The forecast holdings of each side, with the hour in which it runs dry. */
export function ForecastPanel({ view }: { readonly view: ShownTreasury }) {
  const shown = view.plan?.forecast.filter(({ hours }) => hours.length > 0) ?? []
  if (shown.length === 0) return null
  return (
    <Panel id="forecast" class="treasury-half" title="Forecast">
      {shown.map((forecast) => (
        <Token key={forecast.asset} forecast={forecast} view={view} />
      ))}
    </Panel>
  )
}

const BASES = {
  none: '',
  'all-hours': 'the mean of all hours',
  'hour-of-day': 'the same hours of earlier days',
  'hour-of-week': 'the same hours of earlier weeks',
} as const

function Token({ forecast, view }: { readonly forecast: Forecast; readonly view: ShownTreasury }) {
  const { asset, runsDryAt, mayRunDryAt, refillAt, error, basis } = forecast
  const { now, flow } = view
  // Each reading brings a new forecast; the chart is redrawn only when an hour or a figure changes.
  const drawn = useMemo(() => chartOf(forecast, flow), [JSON.stringify(forecast), flow.length])
  return (
    <>
      <p class={runsDryAt === null ? '' : 'bad'}>
        {asset}
        {runsDryAt !== null
          ? ` runs dry ${shownTime(runsDryAt, now)}, in ${shownAge(runsDryAt - now)}`
          : basis === 'none'
            ? ': no flow recorded yet, so nothing is forecast'
            : ' does not run dry within the forecast'}
        {mayRunDryAt === null ? '' : `; in the worst of 20 cases ${shownTime(mayRunDryAt, now)}`}
        {refillAt === null ? '' : `; a refill starts ${shownTime(refillAt, now)}`}.
      </p>
      {(error !== null || basis !== 'none') && (
        <p class="note">
          {error === null
            ? `From ${BASES[basis]}; not compared with a whole day yet.`
            : `Over ${error.days} days the forecast was off by ${shownDecimal(error.meanAbsolute, 0)} ${asset} a day, ${Math.round(error.covered * 100)} % within its bound.`}
        </p>
      )}
      {basis !== 'none' && <TimeChartView {...drawn} onZoom={() => undefined} />}
    </>
  )
}

/** Returns the holdings over time: past ones from trading, future ones from the forecast. Floats, for the drawing only. */
function chartOf({ asset, hours, reorderLevel }: Forecast, flow: ShownTreasury['flow']) {
  const start = Number(hours[0]?.p50 ?? 0)
  let held = start
  const past = flow
    .toReversed()
    .map(({ at, net }) => {
      const point = { at, held }
      held -= Number(net[asset])
      return point
    })
    .reverse()
    .filter(({ at }) => at < (hours[0]?.at ?? 0))
  const none = past.map(() => null)
  const ahead = hours.map(() => null)
  const level = Number(reorderLevel)
  const spec: ChartSpec = {
    title: `${asset} of the position`,
    unit: asset,
    digits: 0,
    isStepped: false,
    lines: [
      {
        label: 'By trading',
        colour: 'ink',
        values: [...past.map((point) => point.held), ...ahead],
        width: 1.5,
      },
      {
        label: 'Expected',
        colour: 'accent',
        values: [...none, ...hours.map(({ p50 }) => Number(p50))],
        width: 1.5,
      },
      {
        label: 'At least, 95 %',
        colour: 'accent',
        values: [...none, ...hours.map(({ p95 }) => Number(p95))],
        width: 1,
        dash: [4, 3],
      },
    ],
    marks: [],
    band: null,
    level: level > 0 ? level : null,
  }
  return { spec, history: { t: [...past, ...hours].map(({ at }) => at), marks: [] } }
}
