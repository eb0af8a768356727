import { useEffect, useRef, useState } from 'preact/hooks'
import type { DaysAnswer } from '../../answers.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { listStanding } from '../frame/list-standing.ts'
import { StateMark } from '../frame/standing.tsx'
import { askApi, query } from '../live/ask-api.ts'
import { routeTo } from '../live/hooks.ts'
import type { ListedSummary, LiveState } from '../live/live-state.ts'
import { shownAge, shownDecimal, numberText } from '../text.ts'
import { BulkStop } from './bulk-stop.tsx'
import { ListControls, Pager } from './list-controls.tsx'
import { ListSums } from './list-sums.tsx'
import { FIRST_VIEW, pageOf, type ListView } from './list-view.ts'

type Props = { readonly state: LiveState; readonly now: number }

/** The list of several positions: their sums, and a line for each, the most urgent first. */
export function PositionList({ state, now }: Props) {
  const { list, version, takesCommands } = state
  if (list.size > 0) return <FullList list={list} now={now} takesCommands={takesCommands} />
  return (
    <section class="panel waiting">
      <h1>mizani</h1>
      <p>{version === null ? 'Waiting for the daemon.' : 'No position was received yet.'}</p>
    </section>
  )
}

/** Kept outside the component, so that the list is unchanged when the user returns from a position. */
let lastView = FIRST_VIEW

type FullListProps = {
  readonly list: ReadonlyMap<string, ListedSummary>
  readonly now: number
  readonly takesCommands: boolean
}

function FullList({ list, now, takesCommands }: FullListProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [stop, setStop] = useState<'pause' | 'halt' | null>(null)
  const [view, setView] = useState<ListView>(lastView)
  const change = (news: Partial<ListView>) => {
    lastView = { ...view, page: 0, ...news }
    setView(lastView)
  }
  const page = pageOf(list.values(), view)
  const shown = page.rows.map(({ summary }) => summary.name)
  const totals = useTotals(shown)
  const names = [...chosen].filter((name) => list.has(name))
  const choose = (name: string) =>
    setChosen(new Set([...names, name].filter((one) => one !== name || !chosen.has(name))))
  return (
    <section class="panel list">
      <h1>{list.size} positions</h1>
      {takesCommands && (
        <div class="bulk" role="group" aria-label="Chosen positions">
          {names.length} chosen
          <button type="button" disabled={names.length === 0} onClick={() => setStop('pause')}>
            Pause
          </button>
          <button type="button" class="grave" disabled={names.length === 0} onClick={() => setStop('halt')}>
            Halt
          </button>
          <button
            type="button"
            class="plain"
            onClick={() => setChosen(new Set(names.length > 0 ? [] : shown))}
          >
            {names.length > 0 ? 'Choose none' : 'Choose this page'}
          </button>
        </div>
      )}
      {stop !== null && <BulkStop command={stop} names={names} onClose={() => setStop(null)} />}
      <ListSums list={list} />
      <ListControls view={view} onChange={change} />
      <DataTable
        label="Positions"
        columns={columns(now, totals, chosen, takesCommands ? choose : null)}
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

function columns(
  now: number,
  totals: Totals,
  chosen: ReadonlySet<string>,
  choose: ((name: string) => void) | null,
): readonly Column<ListedSummary>[] {
  return [
    {
      title: 'Position',
      kind: 'head',
      cell: (row) => (
        <>
          {choose !== null && <Choice {...row} isChosen={chosen.has(row.summary.name)} onChoose={choose} />}
          <Name {...row} />
        </>
      ),
    },
    { title: 'State', cell: State },
    figure('Bid', ({ bidBps }) => numberText(bidBps, 0)),
    figure('Ask', ({ askBps }) => numberText(askBps, 0)),
    figure('PnL today, USD', ({ pnlTodayUsd }) => shownDecimal(pnlTodayUsd, 2, true)),
    figure('PnL, USD', ({ pnlTotalUsd }) => shownDecimal(pnlTotalUsd, 2, true)),
    { title: '14 days', cell: ({ summary: { name } }) => <Sparkline totals={totals.get(name) ?? []} /> },
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

const DAYS = 14
const HOUR_MS = 3_600_000
type Totals = ReadonlyMap<string, readonly number[]>

/** Returns the PnL that each position has added up over the last days, by name; asked for one after the other, once an hour. */
function useTotals(names: readonly string[]): Totals {
  const [totals, setTotals] = useState<Totals>(new Map())
  const hour = Math.floor(Date.now() / HOUR_MS)
  const asked = useRef(new Map<string, number>())
  useEffect(() => {
    let isOpen = true
    const ask = async () => {
      for (const name of names) {
        if (asked.current.get(name) === hour) continue
        const answer = await askApi<DaysAnswer>(`days${query({ position: name, days: DAYS })}`)
        if (!isOpen) return
        let total = 0
        if (answer.ok) {
          asked.current.set(name, hour)
          const days = answer.value.days.map(({ pnlUsd }) => (total += pnlUsd ?? 0))
          setTotals((before) => new Map(before).set(name, days))
        }
      }
    }
    void ask()
    return () => {
      isOpen = false
    }
  }, [names.join(' '), hour])
  return totals
}

/** The totals as a line from the oldest to the newest, over zero. */
function Sparkline({ totals }: { readonly totals: readonly number[] }) {
  if (totals.length < 2) return null
  const [low, high] = [Math.min(0, ...totals), Math.max(0, ...totals)]
  const y = (total: number) => (17 - (16 * (total - low)) / (high - low || 1)).toFixed(1)
  return (
    <svg class="spark" viewBox="0 0 72 18" aria-hidden="true">
      <path class="zero" d={`M0 ${y(0)}H72`} />
      <path
        d={`M${totals.map((total, i) => `${((72 * i) / (totals.length - 1)).toFixed(1)} ${y(total)}`).join('L')}`}
      />
    </svg>
  )
}

function figure(title: string, text: (summary: ListedSummary['summary']) => string): Column<ListedSummary> {
  return { title, kind: 'number', cell: ({ summary }) => text(summary) }
}

type ChoiceProps = ListedSummary & {
  readonly isChosen: boolean
  readonly onChoose: (name: string) => void
}

function Choice({ summary: { name }, isChosen, onChoose }: ChoiceProps) {
  return (
    <input type="checkbox" aria-label={`Choose ${name}`} checked={isChosen} onChange={() => onChoose(name)} />
  )
}

/** A link to the page of a position; a position that never ran has no page. */
function Name({ summary: { name, strategy, mode, simulation } }: ListedSummary) {
  const traits = [strategy, mode === 'dry-run' ? 'dry run' : null, simulation === null ? null : 'simulated']
  return (
    <>
      {mode === null ? name : <a href={routeTo(name)}>{name}</a>}
      {strategy !== null && <small>{traits.filter((trait) => trait !== null).join(', ')}</small>}
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
