import type { HistoryAnswer } from '../../api/api-types.ts'
import { numberText } from '../text/number-text.ts'
import { dayText, timeText } from '../text/time-text.ts'
import type { ChartSpec, Values } from './chart-lines.ts'

type Props = {
  readonly spec: ChartSpec
  readonly history: HistoryAnswer
  /** The place under the cursor; null = the last one. */
  readonly index: number | null
  readonly hidden: ReadonlySet<string>
  readonly onToggle: (label: string) => void
}

/** Names the lines and says their values, at the cursor or at the end; a click hides a line. */
export function ChartLegend({ spec, history, index, hidden, onToggle }: Props) {
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
        <span class="when">{index === null || t === null ? '' : `${dayText(t)} ${timeText(t, t)}`}</span>
      </div>
    </figcaption>
  )
}

/** At rest the legend has the last value that is known. */
function valueAt(values: Values, at: number, isAtRest: boolean): number | null {
  return (isAtRest ? values.findLast((value) => value !== null) : values[at]) ?? null
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
