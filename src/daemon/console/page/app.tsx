import { useEffect } from 'preact/hooks'
import { Announcer, LinkBar, SimulationBar, simulationOf } from './frame/link-bar.tsx'
import { standing } from './frame/standing.tsx'
import { listStanding } from './frame/list-standing.ts'
import { TopBar } from './frame/top-bar.tsx'
import { chosenPosition, isStale, type LivePosition, type LiveState } from './live/live-state.ts'
import { PositionList } from './list/position-list.tsx'
import { byTrouble } from '../api/trouble.ts'
import { useLive, useRoute, useSignIn, useTick } from './live/hooks.ts'
import { ActionBar } from './actions/action-bar.tsx'
import { OpenAlertsPanel } from './actions/open-alerts-panel.tsx'
import { ProposalsPanel } from './actions/proposals-panel.tsx'
import { WithdrawalsPanel } from './actions/withdrawals-panel.tsx'
import { DaysPanel } from './book/days-panel.tsx'
import { FillsPanel } from './book/fills-panel.tsx'
import { HealthPanel } from './book/health-panel.tsx'
import { OrdersPanel } from './book/orders-panel.tsx'
import { PnlPanel } from './book/pnl-panel.tsx'
import { ChallengerPanel } from './book/challenger-panel.tsx'
import { ResearchPanel } from './book/research-panel.tsx'
import { RiskPanel } from './book/risk-panel.tsx'
import { ScorecardPanel } from './book/scorecard-panel.tsx'
import { ScalesPanel } from './book/scales-panel.tsx'
import { ChartsPanel } from './charts/charts-panel.tsx'
import { LogPanel } from './log/log-panel.tsx'
import { QuotePanel } from './quote/quote-panel.tsx'
import { PageTabs, TreasuryPage } from './treasury/treasury-page.tsx'
import { StateBanner } from './frame/state-banner.tsx'

/** The whole page: one position, or the list of several. */
export function App() {
  const route = useRoute()
  const { state, reconnect } = useLive(route?.position ?? null)
  const now = useTick()
  const signInProblem = useSignIn(reconnect)
  const chosen = chosenPosition(state, route?.position ?? null)
  const stale = isStale(state.link, now)
  useEffect(() => {
    document.title = titleOf(state, chosen, stale)
  }, [state, chosen, stale])
  return (
    <>
      <TopBar state={state} chosen={chosen} now={now} stale={stale} onToken={reconnect} />
      <SimulationBar simulation={simulationOf(state, chosen)} />
      <LinkBar link={state.link} dropped={state.dropped} now={now} stale={stale} onToken={reconnect} />
      {signInProblem !== null && (
        <section class="linkbar bad" role="alert" aria-label="Sign-in refused">
          <p>{signInProblem}</p>
        </section>
      )}
      <Announcer state={state} chosen={chosen} stale={stale} />
      <main id="main" tabIndex={-1} class={stale && hasShown(state) ? 'stale' : ''}>
        {chosen === null && route !== null && state.list.size > 0 ? (
          <NoPosition name={route.position} />
        ) : chosen === null ? (
          <PositionList state={state} now={now} />
        ) : route?.isTreasury === true ? (
          <TreasuryPage key={chosen.name} position={chosen.name} takesCommands={state.takesCommands} />
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

/** An old bookmark, or a name with an error. */
function NoPosition({ name }: { readonly name: string }) {
  return (
    <section class="panel" aria-labelledby="none">
      <h1 id="none">There is no position named “{name}”</h1>
      <p>
        <a href="#/">Show the positions of this daemon</a>
      </p>
    </section>
  )
}

function hasShown({ positions, list }: LiveState): boolean {
  return positions.length + list.size > 0
}

function titleOf({ list }: LiveState, chosen: LivePosition | null, stale: boolean): string {
  const worst = chosen === null ? worstOf(list) : { name: chosen.name, word: standing(chosen).word }
  if (worst === null) return 'mizani'
  return `${stale ? 'STALE' : worst.word} ${worst.name} · mizani`
}

function worstOf(list: LiveState['list']): { readonly name: string; readonly word: string } | null {
  const [first] = Array.from(list.values(), ({ summary }) => summary).toSorted(byTrouble)
  return first === undefined ? null : { name: first.name, word: listStanding(first).word }
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
      <PageTabs position={name} isTreasury={false} />
      <StateBanner position={position} now={now}>
        <ActionBar position={position} takesCommands={takesCommands} stale={stale} />
      </StateBanner>
      {view !== null && (
        <div class="grid">
          <OpenAlertsPanel position={name} now={view.now} takesCommands={takesCommands} />
          {view.withdrawals.length > 0 && (
            <WithdrawalsPanel position={name} view={view} takesCommands={takesCommands} />
          )}
          <ProposalsPanel position={name} now={view.now} takesCommands={takesCommands} />
          <QuotePanel view={view} sinceMs={position.receivedAt === null ? 0 : now - position.receivedAt} />
          <ScalesPanel position={name} view={view} />
          <PnlPanel view={view} />
          <HealthPanel view={view} sinceMs={position.receivedAt === null ? 0 : now - position.receivedAt} />
          {view.rfq !== null && <OrdersPanel rfq={view.rfq} now={view.now} />}
          {view.scorecard !== null && <ScorecardPanel scorecard={view.scorecard} now={view.now} />}
          {view.challenger !== null && <ChallengerPanel challenger={view.challenger} now={view.now} />}
          <ChartsPanel view={view} stale={stale} />
          <DaysPanel position={name} now={view.now} />
          <FillsPanel position={name} view={view} />
          <LogPanel position={name} live={position.notices} gaps={position.gaps} now={view.now} />
          {view.risk !== null && <RiskPanel risk={view.risk} now={view.now} />}
          <ResearchPanel position={name} now={now} takesCommands={takesCommands} />
        </div>
      )}
    </>
  )
}
