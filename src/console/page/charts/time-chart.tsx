import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { HistoryAnswer } from '../../api/api-types.ts'
import { useWidth } from '../live/use-width.ts'
import { ChartLegend } from './chart-legend.tsx'
import type { ChartSpec } from './chart-lines.ts'
import { onColourChange } from './colour-of.ts'
import { drawMarks } from './draw-marks.ts'
import { plotOptions } from './plot-options.ts'

type Props = {
  readonly spec: ChartSpec
  readonly history: HistoryAnswer
  readonly onZoom: (from: number, to: number) => void
}

const HEIGHT = 210

/** One chart over time. The drawing is for the eye; the legend has the values as text. */
export function TimeChart({ spec, history, onZoom }: Props) {
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

function dataOf({ spec, history }: Pick<Props, 'spec' | 'history'>): uPlot.AlignedData {
  return [[...history.t], ...spec.lines.map(({ values }) => [...values])]
}
