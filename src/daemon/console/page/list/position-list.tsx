import { useState } from 'preact/hooks'
import { type Column, DataTable } from '../data-table.tsx'
import { listStanding } from '../frame/list-standing.ts'
import { StateMark } from '../frame/standing.tsx'
import { routeTo } from '../live/hooks.ts'
import type { ListedSummary, LiveState } from '../live/live-state.ts'
import { shownAge, shownDecimal, numberText } from '../text.ts'
import { ListControls, Pager } from './list-controls.tsx'
import { ListSums } from './list-sums.tsx'
import { FIRST_VIEW, pageOf, type ListView } from './list-view.ts'

type Props = { readonly state: LiveState; readonly now: number }

/** The list of several positions: their sums, and a line for each, the most urgent first. */
export function PositionList({ state, now }: Props) {
  const { list, version } = state
  if (list.size > 0) return <FullList list={list} now={now} />
  return (
    <section class="panel waiting">
      <h1>mizani</h1>
      <p>{version === null ? 'Waiting for the daemon.' : 'No position was received yet.'}</p>
    </section>
  )
}

/** Kept outside the component, so that the list is unchanged when the user returns from a position. */
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
      <DataTable
        label="Positions"
        columns={columns(now)}
        rows={page.rows}
        keyOf={({ summary }) => summary.name}
        rowTone={({ summary }) => listStanding(summary).tone}
      >
        {page.matching === 0 && <p class="note">No position matches.</p>}
      </DataTable>
      <Pager page={page} onPage={(number) => change({ page: number })} />
    </section>
  )
}

function columns(now: number): readonly Column<ListedSummary>[] {
  return [
    { title: 'Position', kind: 'head', cell: Name },
    { title: 'State', cell: State },
    figure('Bid', ({ bidBps }) => numberText(bidBps, 0)),
    figure('Ask', ({ askBps }) => numberText(askBps, 0)),
    figure('PnL today, USD', ({ pnlTodayUsd }) => shownDecimal(pnlTodayUsd, 2, true)),
    figure('PnL, USD', ({ pnlTotalUsd }) => shownDecimal(pnlTotalUsd, 2, true)),
    figure('Deployed', ({ deployedUsd }) => shownDecimal(deployedUsd, 0)),
    figure('Outstanding', ({ outstandingUsd }) => shownDecimal(outstandingUsd, 0)),
    figure('Fills today', ({ fillsToday }) => numberText(fillsToday, 0)),
    {
      title: 'Mid age',
      kind: 'number',
      cell: ({ summary: { midAgeMs }, receivedAt }) =>
        shownAge(midAgeMs === null ? null : midAgeMs + now - receivedAt),
    },
  ]
}

function figure(title: string, text: (summary: ListedSummary['summary']) => string): Column<ListedSummary> {
  return { title, kind: 'number', cell: ({ summary }) => text(summary) }
}

/** A link to the page of a position; a position that never ran has no page. */
function Name({ summary: { name, strategy, mode } }: ListedSummary) {
  return (
    <>
      {mode === null ? name : <a href={routeTo(name)}>{name}</a>}
      {strategy !== null && <small>{mode === 'dry-run' ? `${strategy}, dry run` : strategy}</small>}
    </>
  )
}

function State({ summary }: ListedSummary) {
  const { word, tone, reason } = listStanding(summary)
  return (
    <div class="state">
      <StateMark tone={tone} />
      <b>{word}</b>
      <small title={summary.why.join('\n')}>{reason}</small>
    </div>
  )
}
