import { useEffect } from 'preact/hooks'
import { Announcer, LinkBar } from './frame/link-bar.tsx'
import { PositionList } from './frame/position-list.tsx'
import { standing } from './frame/standing.tsx'
import { TopBar } from './frame/top-bar.tsx'
import { isStale, type LivePosition, type LiveState } from './live/live-state.ts'
import { useLive, useRoute, useTick } from './live/hooks.ts'
import { ActionBar } from './actions/action-bar.tsx'
import { WithdrawalsPanel } from './actions/withdrawals-panel.tsx'
import { FillsPanel } from './book/fills-panel.tsx'
import { HealthPanel } from './book/health-panel.tsx'
import { OrdersPanel } from './book/orders-panel.tsx'
import { PnlPanel } from './book/pnl-panel.tsx'
import { ScalesPanel } from './book/scales-panel.tsx'
import { ChartsPanel } from './charts/charts-panel.tsx'
import { LogPanel } from './log/log-panel.tsx'
import { QuotePanel } from './quote/quote-panel.tsx'
import { StateBanner } from './frame/state-banner.tsx'

/** The whole page: one position, or the list of several. */
export function App() {
  const { state, reconnect } = useLive()
  const now = useTick()
  const route = useRoute()
  const chosen = chosenOf(state.positions, route)
  const stale = isStale(state.link, now)
  useEffect(() => {
    document.title = titleOf(state, chosen, stale)
  }, [state, chosen, stale])
  return (
    <>
      <TopBar state={state} chosen={chosen} now={now} stale={stale} onToken={reconnect} />
      <LinkBar link={state.link} dropped={state.dropped} now={now} stale={stale} onToken={reconnect} />
      <Announcer positions={state.positions} stale={stale} />
      <main id="main" tabIndex={-1} class={stale && state.positions.length > 0 ? 'stale' : ''}>
        {chosen === null ? (
          <PositionList state={state} now={now} />
        ) : (
          <PositionPage
            key={chosen.name}
            position={chosen}
            takesCommands={state.takesCommands}
            now={now}
            stale={stale}
          />
        )}
      </main>
    </>
  )
}

function chosenOf(positions: readonly LivePosition[], route: string | null): LivePosition | null {
  const [only] = positions
  if (positions.length === 1 && only !== undefined) return only
  return positions.find(({ name }) => name === route) ?? null
}

function titleOf({ positions }: LiveState, chosen: LivePosition | null, stale: boolean): string {
  const shown = chosen === null ? positions : [chosen]
  const troubled = shown.find((position) => standing(position).tone === 'bad')
  const first = troubled ?? shown[0]
  if (first === undefined) return 'mizani'
  return `${stale ? 'STALE' : standing(first).word} ${first.name} · mizani`
}

type Props = {
  readonly position: LivePosition
  readonly takesCommands: boolean
  readonly now: number
  readonly stale: boolean
}

/** Everything about one position, the gravest first. */
function PositionPage({ position, takesCommands, now, stale }: Props) {
  const { view, name } = position
  return (
    <>
      <StateBanner position={position} now={now}>
        <ActionBar position={position} takesCommands={takesCommands} stale={stale} />
      </StateBanner>
      {view !== null && (
        <div class="grid">
          {view.withdrawals.length > 0 && (
            <WithdrawalsPanel position={name} view={view} takesCommands={takesCommands} />
          )}
          <QuotePanel view={view} sinceMs={position.heardAt === null ? 0 : now - position.heardAt} />
          <ScalesPanel view={view} />
          <PnlPanel view={view} />
          <HealthPanel view={view} sinceMs={position.heardAt === null ? 0 : now - position.heardAt} />
          {view.rfq !== null && <OrdersPanel rfq={view.rfq} now={view.now} />}
          <ChartsPanel position={name} dataNow={view.now} stale={stale} />
          <FillsPanel position={name} view={view} />
          <LogPanel position={name} live={position.notices} gaps={position.gaps} now={view.now} />
        </div>
      )}
    </>
  )
}
