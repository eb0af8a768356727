import { useCallback, useMemo, useState } from 'preact/hooks'
import type { PositionView } from '../../../view/position-view.ts'
import type { HistoryAnswer } from '../../answers.ts'
import { CurrencySwitch, useCurrency } from '../currency.tsx'
import { Help } from '../panel.tsx'
import { shownTime } from '../text.ts'
import { chartLines } from './chart-lines.ts'
import { TimeChartView } from './time-chart.tsx'
import { useLive } from './live-points.ts'
import { RANGES, timeRange, type TimeRange, useHistory } from './history.ts'

type Props = { readonly view: PositionView; readonly stale: boolean }

/** The position's history: prices, inventory and PnL over one period. */
export function ChartsPanel({ view, stale }: Props) {
  const { name, now: dataNow } = view
  const [range, setRange] = useState<TimeRange>(RANGES[0])
  const [currency] = useCurrency()
  const { answer: recorded, problem, loading } = useHistory(name, range, view, stale)
  const answer = useLive(recorded, view, range.kind === 'last')
  const specs = useMemo(() => (answer === null ? [] : chartLines(answer, currency)), [answer, currency])
  const zoom = useCallback((from: number, to: number) => setRange(timeRange([from, to], 1, 0)), [])
  const isEmpty = answer !== null && answer.mid.every((value) => value === null)
  return (
    <section class="panel charts" aria-labelledby="charts" aria-busy={loading}>
      <div class="charts-head">
        <h2 id="charts">
          History <span class="unit">{answer === null ? '' : `${spanText(answer, dataNow)} UTC`}</span>
          <CurrencySwitch />
          <Help id="charts" />
        </h2>
        <RangeButtons range={range} answer={answer} onRange={setRange} />
      </div>
      {problem !== null && <p class="bad">{problem}</p>}
      {isEmpty && <p class="note">Nothing was recorded in this period.</p>}
      {answer !== null && !isEmpty && (
        <div class="chart-grid">
          {specs.map((spec) => (
            <TimeChartView key={spec.title} spec={spec} history={answer} onZoom={zoom} />
          ))}
        </div>
      )}
      {answer !== null && answer.marks.length > 0 && <Marks answer={answer} dataNow={dataNow} />}
    </section>
  )
}

type RangeProps = {
  readonly range: TimeRange
  readonly answer: HistoryAnswer | null
  readonly onRange: (range: TimeRange) => void
}

function RangeButtons({ range, answer, onRange }: RangeProps) {
  const move = (factor: number, shift: number) => () => {
    if (answer !== null) onRange(timeRange([answer.from, answer.to], factor, shift))
  }
  return (
    <div class="ranges">
      <div role="group" aria-label="Time range">
        {RANGES.map((each) => (
          <button
            key={each.name}
            type="button"
            aria-pressed={range.kind === 'last' && range.name === each.name}
            onClick={() => onRange(each)}
          >
            {each.name}
          </button>
        ))}
      </div>
      <div role="group" aria-label="Zoom">
        <button type="button" aria-label="Earlier" onClick={move(1, -0.5)}>
          ←
        </button>
        <button type="button" aria-label="Later" onClick={move(1, 0.5)}>
          →
        </button>
        <button type="button" aria-label="Zoom in" onClick={move(0.5, 0)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={move(2, 0)}>
          −
        </button>
      </div>
    </div>
  )
}

function Marks({ answer, dataNow }: { readonly answer: HistoryAnswer; readonly dataNow: number }) {
  return (
    <details class="marks">
      <summary>
        {answer.marks.length} {answer.marks.length === 1 ? 'mark' : 'marks'}: halts, resumptions, reloads,
        alerts
      </summary>
      <ul>
        {answer.marks.map(({ t, kind, text }, index) => (
          <li key={index}>
            <time dateTime={new Date(t).toISOString()}>{shownTime(t, dataNow)}</time> <b>{kind}</b> {text}
          </li>
        ))}
      </ul>
    </details>
  )
}

function spanText({ from, to }: HistoryAnswer, now: number): string {
  return `${shownTime(from, now)} to ${shownTime(to, now)}`
}
