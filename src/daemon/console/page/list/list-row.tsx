import { listStanding } from '../frame/list-standing.ts'
import { StateMark } from '../frame/standing.tsx'
import { routeTo } from '../live/hooks.ts'
import type { ListedSummary } from '../live/live-state.ts'
import { shownAge, shownDecimal, numberText } from '../text.ts'

type Props = { readonly position: ListedSummary; readonly now: number }

/** One position, and the way to its page; one that never ran has none. */
export function ListRow({ position: { summary, receivedAt }, now }: Props) {
  const { word, tone, reason } = listStanding(summary)
  const { name, strategy, mode, midAgeMs } = summary
  return (
    <tr class={tone}>
      <th scope="row">
        {mode === null ? name : <a href={routeTo(name)}>{name}</a>}
        {strategy !== null && <small>{mode === 'dry-run' ? `${strategy}, dry run` : strategy}</small>}
      </th>
      <td>
        <div class="state">
          <StateMark tone={tone} />
          <b>{word}</b>
          <small title={summary.why.join('\n')}>{reason}</small>
        </div>
      </td>
      <td class="number">{numberText(summary.bidBps, 0)}</td>
      <td class="number">{numberText(summary.askBps, 0)}</td>
      <td class="number">{shownDecimal(summary.pnlTodayUsd, 2, true)}</td>
      <td class="number">{shownDecimal(summary.pnlTotalUsd, 2, true)}</td>
      <td class="number">{shownDecimal(summary.deployedUsd, 0)}</td>
      <td class="number">{shownDecimal(summary.outstandingUsd, 0)}</td>
      <td class="number">{numberText(summary.fillsToday, 0)}</td>
      <td class="number">{midAgeMs === null ? '–' : shownAge(midAgeMs + now - receivedAt)}</td>
    </tr>
  )
}
