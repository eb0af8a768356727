import type { LivePosition, LiveState } from '../live/live-state.ts'
import { routeTo } from '../live/hooks.ts'
import { ageText, decimalText, numberText } from '../text.ts'
import { standing, StateMark } from './standing.tsx'
import { Column, TableHead } from './table-head.tsx'

/** Several positions in one daemon: a line each, the way into each. */
export function PositionList({ state, now }: { readonly state: LiveState; readonly now: number }) {
  const { positions, version } = state
  if (positions.length === 0) {
    return (
      <section class="panel waiting">
        <h1>mizani</h1>
        <p>{version === null ? 'Waiting for the daemon.' : 'The daemon has no position.'}</p>
      </section>
    )
  }
  return (
    <section class="panel list">
      <h1>{positions.length} positions</h1>
      <div class="scroll" tabIndex={0} role="region" aria-label="Positions">
        <table>
          <TableHead>
            <Column>Position</Column>
            <Column>State</Column>
            <Column number>Bid</Column>
            <Column number>Ask</Column>
            <Column number>Dollars</Column>
            <Column number>PnL, USD</Column>
            <Column number>Fills</Column>
            <Column number>Mid age</Column>
          </TableHead>
          <tbody>
            {positions.map((position) => (
              <Row key={position.name} position={position} now={now} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Row({ position, now }: { readonly position: LivePosition; readonly now: number }) {
  const { word, tone, reason } = standing(position)
  const { view, heardAt } = position
  const since = heardAt === null ? 0 : now - heardAt
  return (
    <tr class={tone}>
      <th scope="row">
        <a href={routeTo(position.name)}>{position.name}</a>
        {view !== null && <small>{view.strategy.use}</small>}
      </th>
      <td>
        <div class="state">
          <StateMark tone={tone} />
          <b>{word}</b>
          <small>{reason}</small>
        </div>
      </td>
      <td class="number">{numberText(view?.quote.bidBps, 0)}</td>
      <td class="number">{numberText(view?.quote.askBps, 0)}</td>
      <td class="number">{shareText(view?.inventory.usdShare)}</td>
      <td class="number">{decimalText(view?.pnl?.usd.total, 2, true)}</td>
      <td class="number">{numberText(view?.fills.total, 0)}</td>
      <td class="number">{view === null || view.midAgeMs === null ? '–' : ageText(view.midAgeMs + since)}</td>
    </tr>
  )
}

function shareText(share: number | null | undefined): string {
  return share === null || share === undefined ? '–' : `${numberText(share * 100, 1)} %`
}
