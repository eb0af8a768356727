import { ActionBar } from '../actions/action-bar.tsx'
import { FillsPanel } from '../book/fills-panel.tsx'
import { HealthPanel } from '../book/health-panel.tsx'
import { OrdersPanel } from '../book/orders-panel.tsx'
import { PnlPanel } from '../book/pnl-panel.tsx'
import { ScalesPanel } from '../book/scales-panel.tsx'
import { ChartsPanel } from '../charts/charts-panel.tsx'
import type { LivePosition } from '../live/live-state.ts'
import { LogPanel } from '../log/log-panel.tsx'
import { QuotePanel } from '../quote/quote-panel.tsx'
import { StateBanner } from './state-banner.tsx'

type Props = {
  readonly position: LivePosition
  readonly takesCommands: boolean
  readonly now: number
  readonly stale: boolean
}

/** Everything about one position, the gravest first. */
export function PositionPage({ position, takesCommands, now, stale }: Props) {
  const { view, name } = position
  return (
    <>
      <StateBanner position={position} now={now}>
        <ActionBar position={position} takesCommands={takesCommands} stale={stale} />
      </StateBanner>
      {view !== null && (
        <div class="grid">
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
