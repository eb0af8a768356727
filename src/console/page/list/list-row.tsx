import { listStanding } from '../frame/list-standing.ts'
import { StateMark } from '../frame/standing.tsx'
import { routeTo } from '../live/hooks.ts'
import type { ListedPosition } from '../live/live-state.ts'
import { ageText, decimalText, numberText } from '../text.ts'

type Props = { readonly position: ListedPosition; readonly now: number }

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
      <td class="number">{decimalText(summary.pnlTodayUsd, 2, true)}</td>
      <td class="number">{decimalText(summary.pnlTotalUsd, 2, true)}</td>
      <td class="number">{decimalText(summary.deployedUsd, 0)}</td>
      <td class="number">{decimalText(summary.outstandingUsd, 0)}</td>
      <td class="number">{numberText(summary.fillsToday, 0)}</td>
      <td class="number">{midAgeMs === null ? '–' : ageText(midAgeMs + now - receivedAt)}</td>
    </tr>
  )
}
