import { totalsOf } from '../../api/list-totals.ts'
import type { ListedSummary } from '../live/live-state.ts'
import { Row } from '../panel.tsx'
import { shownDecimal, numberText } from '../text.ts'

/** Sums of holdings and PnL over all positions, and the number in each state. */
export function ListSums({ list }: { readonly list: ReadonlyMap<string, ListedSummary> }) {
  const totals = totalsOf(Array.from(list.values(), ({ summary }) => summary))
  const { unvalued } = totals
  const counts = [
    ['Active', totals.active, 0],
    ['Reducing', totals.reducing, 0],
    ['Halted', totals.halted, 1],
    ['Silent', totals.silent, 1],
    ['Not ready', totals.notReady, 1],
  ] as const
  const sums = [
    ['PnL today, USD', shownDecimal(totals.pnlTodayUsd, 2, true)],
    ['PnL, USD', shownDecimal(totals.pnlTotalUsd, 2, true)],
    ['Deployed, USD', shownDecimal(totals.deployedUsd, 0)],
    ['Outstanding, USD', shownDecimal(totals.outstandingUsd, 0)],
  ] as const
  return (
    <>
      <dl class="sums">
        {sums.map(([name, text]) => (
          <Row key={name} name={name}>
            {text}
          </Row>
        ))}
        {counts.map(([name, count, badFrom]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={badFrom > 0 && count >= badFrom ? 'bad' : undefined}>{numberText(count, 0)}</dd>
          </div>
        ))}
      </dl>
      {unvalued > 0 && (
        <p class="note">
          {unvalued === 1 ? 'One position has' : `${unvalued} positions have`} an unknown figure and is in no
          sum.
        </p>
      )}
    </>
  )
}
