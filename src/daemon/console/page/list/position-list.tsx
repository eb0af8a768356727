import { useState } from 'preact/hooks'
import { Column, TableHead } from '../table-head.tsx'
import type { ListedSummary, LiveState } from '../live/live-state.ts'
import { ListControls, Pager } from './list-controls.tsx'
import { ListRow } from './list-row.tsx'
import { ListSums } from './list-sums.tsx'
import { FIRST_VIEW, pageOf, type ListView } from './list-view.ts'

type Props = { readonly state: LiveState; readonly now: number }

/** Several positions in one daemon: their sums, and a line for each, what needs a person first. */
export function PositionList({ state, now }: Props) {
  const { list, version } = state
  if (list.size > 0) return <FullList list={list} now={now} />
  return (
    <section class="panel waiting">
      <h1>mizani</h1>
      <p>{version === null ? 'Waiting for the daemon.' : 'No position has come yet.'}</p>
    </section>
  )
}

/** A person who comes back from a position finds the list as it was left. */
let lastView = FIRST_VIEW

type FullListProps = { readonly list: ReadonlyMap<string, ListedSummary>; readonly now: number }

function FullList({ list, now }: FullListProps) {
  const [view, setView] = useState<ListView>(lastView)
  const change = (news: Partial<ListView>) => {
    lastView = { ...view, page: 0, ...news }
    setView(lastView)
  }
  const page = pageOf(list.values(), view)
  return (
    <section class="panel list">
      <h1>{list.size} positions</h1>
      <ListSums list={list} />
      <ListControls view={view} onChange={change} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Positions">
        <table>
          <TableHead>
            <Column>Position</Column>
            <Column>State</Column>
            <Column number>Bid</Column>
            <Column number>Ask</Column>
            <Column number>PnL today, USD</Column>
            <Column number>PnL, USD</Column>
            <Column number>Deployed</Column>
            <Column number>Outstanding</Column>
            <Column number>Fills today</Column>
            <Column number>Mid age</Column>
          </TableHead>
          <tbody>
            {page.rows.map((one) => (
              <ListRow key={one.summary.name} position={one} now={now} />
            ))}
          </tbody>
        </table>
        {page.matching === 0 && <p class="note">No position matches.</p>}
      </div>
      <Pager page={page} onPage={(number) => change({ page: number })} />
    </section>
  )
}
