import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { HistoryAnswer } from '../../answers.ts'
import { useWidth } from '../live/hooks.ts'
import type { ChartSpec, ChartValues } from './chart-lines.ts'
import { plotOptions } from './plot-options.ts'
import { drawMarks } from './draw-marks.ts'
import { numberText, shownTime } from '../text.ts'
import { onColourChange } from '../../../../base/charts/colours.ts'
import { dayText } from '../../../../base/text/times.ts'

type TimeChartProps = {
  readonly spec: ChartSpec
  readonly history: Pick<HistoryAnswer, 't' | 'marks'>
  readonly onZoom: (from: number, to: number) => void
}

const HEIGHT = 210

/** A chart over time, whose legend has the values as text. */
export function TimeChartView({ spec, history, onZoom }: TimeChartProps) {
  const { ref, width } = useWidth()
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const shown = useRef({ spec, history })
  shown.current = { spec, history }
  const [index, setIndex] = useState<number | null>(null)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())

  useEffect(() => {
    if (box.current === null || width === 0) return
    const u = new uPlot(
      plotOptions(
        spec,
        hidden,
        { width, height: HEIGHT },
        {
          onZoom,
          onCursor: setIndex,
          draw: (drawn) => drawMarks(drawn, shown.current.spec, shown.current.history, hidden),
        },
      ),
      dataOf(shown.current),
      box.current,
    )
    plot.current = u
    const endListening = onColourChange(() => u.redraw(false, true))
    return () => {
      endListening()
      u.destroy()
      plot.current = null
    }
  }, [width, spec.title, hidden, onZoom])
  useEffect(() => {
    plot.current?.setData(dataOf({ spec, history }))
  }, [spec, history])

  const toggle = (label: string) => {
    const next = new Set(hidden)
    if (!next.delete(label)) next.add(label)
    setHidden(next)
  }
  return (
    <figure class="chart" aria-label={`${spec.title}, ${spec.unit}`}>
      <ChartLegend spec={spec} history={history} index={index} hidden={hidden} onToggle={toggle} />
      <div class="plot" ref={ref}>
        <div ref={box} aria-hidden="true" />
      </div>
    </figure>
  )
}

function dataOf({ spec, history }: Pick<TimeChartProps, 'spec' | 'history'>): uPlot.AlignedData {
  return [[...history.t], ...spec.lines.map(({ values }) => [...values])]
}

type ChartLegendProps = {
  readonly spec: ChartSpec
  readonly history: Pick<HistoryAnswer, 't' | 'marks'>
  /** The place under the cursor; null = the last one. */
  readonly index: number | null
  readonly hidden: ReadonlySet<string>
  readonly onToggle: (label: string) => void
}

/** Lists the lines with their values at the cursor or at the end; a click hides a line. */
function ChartLegend({ spec, history, index, hidden, onToggle }: ChartLegendProps) {
  const at = index ?? history.t.length - 1
  const t = history.t[at] ?? null
  return (
    <figcaption>
      <h3>
        {spec.title} <span class="unit">{spec.unit}</span>
      </h3>
      <div class="legend">
        {spec.lines.map(({ label, colour, values, dash }) => (
          <button key={label} type="button" aria-pressed={!hidden.has(label)} onClick={() => onToggle(label)}>
            <svg viewBox="0 0 18 8" aria-hidden="true" class={`key ${colour}`}>
              <path d="M0 4h18" stroke-dasharray={dash?.join(' ')} />
            </svg>
            {label} <b>{numberText(valueAt(values, at, index === null), spec.digits)}</b>
          </button>
        ))}
        {spec.marks.map(({ label, colour, points, counts }) => (
          <button key={label} type="button" aria-pressed={!hidden.has(label)} onClick={() => onToggle(label)}>
            <svg viewBox="0 0 18 10" aria-hidden="true" class={`key ${colour} solid`}>
              <path d={points === 'up' ? 'M9 1l5 8h-10z' : 'M9 9l5 -8h-10z'} />
            </svg>
            {label} <b>{index === null ? sum(counts) : (counts[at] ?? 0)}</b>
          </button>
        ))}
        <span class="when">{index === null || t === null ? '' : `${dayText(t)} ${shownTime(t, t)}`}</span>
      </div>
    </figcaption>
  )
}

/** Without a cursor the legend shows the last known value. */
function valueAt(values: ChartValues, at: number, isAtRest: boolean): number | null {
  return (isAtRest ? values.findLast((value) => value !== null) : values[at]) ?? null
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
