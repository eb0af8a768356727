import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import { routeTo, treasuryRouteTo } from '../live/hooks.ts'
import { Panel } from '../panel.tsx'
import { shownAge, shownTime } from '../text.ts'
import { BankPanel } from './bank-panel.tsx'
import { ClaimsPanel } from './claims-panel.tsx'
import { ForecastPanel } from './forecast-panel.tsx'
import { HoldingsPanel } from './holdings-panel.tsx'
import { EndedPanel, IntentsPanel } from './intents-panel.tsx'
import { PayoutDialog } from './payout-dialog.tsx'
import { PlanPanel, RailsPanel } from './plan-panel.tsx'
import { IdentityPanel, PayeesPanel } from './rules-panel.tsx'
import { type ShownTreasury, useTreasury } from './use-treasury.ts'

/** The two pages of a position. */
export function PageTabs(props: { readonly position: string; readonly isTreasury: boolean }) {
  const { position, isTreasury } = props
  return (
    <nav class="tabs" aria-label={`Pages of ${position}`}>
      <a href={routeTo(position)} aria-current={isTreasury ? undefined : 'page'}>
        Trading
      </a>
      <a href={treasuryRouteTo(position)} aria-current={isTreasury ? 'page' : undefined}>
        Treasury
      </a>
    </nav>
  )
}

type Props = { readonly position: string; readonly takesCommands: boolean }

/** The treasury page: where the money is, where it goes next, and the decisions that wait for a person. */
export function TreasuryPage({ position, takesCommands }: Props) {
  const { view, problem, isMissing, refresh } = useTreasury(position)
  return (
    <>
      <PageTabs position={position} isTreasury />
      {problem !== null && !isMissing && (
        <section class="linkbar warn" aria-label="Treasury not read">
          <p>
            {problem}
            {view === null ? '' : `. The data below is from ${shownTime(view.now, view.now)}.`}
          </p>
        </section>
      )}
      {isMissing && (
        <Panel id="no-treasury" title="No treasury">
          <p>{problem}</p>
          <p class="note">
            A treasury keeps a position funded by a policy: the section <code>treasury</code> of the
            configuration turns it on.
          </p>
        </Panel>
      )}
      {view !== null && !isMissing && (
        <>
          <Head view={view} takesCommands={takesCommands} onDone={refresh} />
          <div class="grid">
            <IntentsPanel view={view} takesCommands={takesCommands} onDone={refresh} />
            {view.claims.length > 0 && (
              <ClaimsPanel view={view} takesCommands={takesCommands} onDone={refresh} />
            )}
            <HoldingsPanel view={view} />
            <ForecastPanel view={view} />
            <PlanPanel view={view} />
            <RailsPanel view={view} />
            <PayeesPanel view={view} takesCommands={takesCommands} onDone={refresh} />
            <IdentityPanel view={view} />
            {view.ended.length > 0 && <EndedPanel view={view} />}
            {takesCommands && <BankPanel position={position} />}
          </div>
        </>
      )}
    </>
  )
}

type HeadProps = {
  readonly view: ShownTreasury
  readonly takesCommands: boolean
  readonly onDone: () => void
}

const ORDERS = {
  stop: {
    label: 'Stop',
    effect: 'The treasury stops sending at once. Payments that were already sent continue.',
    isGrave: true,
  },
  resume: { label: 'Resume', effect: 'The treasury plans and sends again.', isGrave: false },
  'confirm-balances': {
    label: 'Confirm balances',
    effect:
      'You have compared the balances at the venue, the bank and on chain with the books: the treasury sends again.',
    isGrave: true,
  },
} as const

/** Whether sending is on, and the switches for it. */
function Head({ view, takesCommands, onDone }: HeadProps) {
  const [order, setOrder] = useState<keyof typeof ORDERS | 'payout' | null>(null)
  const { stop, unconfirmed, obstacle, mode, policy, now, position } = view
  const close = () => {
    setOrder(null)
    onDone()
  }
  return (
    <section class={`banner ${obstacle === null ? 'good' : 'bad'}`} aria-labelledby="treasury">
      <div class="treasury-head">
        <div>
          <h1 id="treasury">
            Treasury of {position}{' '}
            <b>{stop !== null ? 'STOPPED' : mode === 'plan' ? 'PLANS ONLY' : 'LIVE'}</b>
          </h1>
          {obstacle !== null && <p class="bad">{obstacle}</p>}
          {stop !== null && <p>{shownAge(now - stop.at)} ago</p>}
          <p class="note">
            {policy.people === 1
              ? `One person approves alone, after a cool-off of ${shownAge(policy.coolOffMs)} and with half of each cap.`
              : `${policy.people} people must approve${policy.author === null ? '' : `; ${policy.author} loaded the policy and may not`}.`}
          </p>
        </div>
        {takesCommands && (
          <div class="buttons">
            <button type="button" onClick={() => setOrder('payout')}>
              Pay out
            </button>
            {unconfirmed !== null && (
              <button type="button" onClick={() => setOrder('confirm-balances')}>
                Confirm balances
              </button>
            )}
            <button
              type="button"
              class={stop === null ? 'grave' : ''}
              onClick={() => setOrder(stop === null ? 'stop' : 'resume')}
            >
              {stop === null ? 'Stop' : 'Resume'}
            </button>
          </div>
        )}
      </div>
      {order === 'payout' && <PayoutDialog view={view} onClose={close} />}
      {order !== null && order !== 'payout' && (
        <ConfirmDialog
          title={`${ORDERS[order].label}: the treasury of ${position}?`}
          label={ORDERS[order].label}
          isGrave={ORDERS[order].isGrave}
          command={`treasury/${order}`}
          body={{ position }}
          onClose={close}
        >
          <p>{ORDERS[order].effect}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
