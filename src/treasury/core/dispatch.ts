import { takeOrder } from './orders.ts'
import { takePayeeName } from '../approvals/payee-names.ts'
import { takeAttemptAnswer, takePrepared, takeRefusal, takeSilence } from '../intents/attempts.ts'
import { takeMode } from '../intents/keys.ts'
import { takeUnbuilt } from '../intents/unbuilt.ts'
import { takePlan, takeWarnings } from '../intents/plan-intent.ts'
import { takeQuote, takeQuoteFailure } from '../intents/prices.ts'
import { takeFinding, takeResource, takeWebhook } from '../intents/resource.ts'
import type { TreasuryEvent, TreasuryEventOf } from '../model/event.ts'
import { takeConfig, takeHalt, takeRestart } from './configure.ts'
import { takeFlow, takeHoldings, takeRailFailure } from './holdings.ts'
import { takeReconciliation, takeSupply } from './supply-watch.ts'
import type { TreasuryTransition } from '../transition.ts'

type Handlers = {
  readonly [type in TreasuryEvent['type']]: (
    transition: TreasuryTransition,
    event: TreasuryEventOf<type>,
  ) => void
}

/** The handler of each event. Handlers send only reads; `conclude` does due work at the end of the transition. */
const HANDLERS: Handlers = {
  configured: takeConfig,
  restarted: takeRestart,
  modeSeen: takeMode,
  halted: takeHalt,
  tick: ({ state }) => void (state.schedule.wakeAt = 0),
  planned: (transition, { steps, warnings }) => {
    if (warnings !== undefined) takeWarnings(transition, warnings)
    if (steps.length === 0) return
    transition.state.skimDueAt = null
    takePlan(transition, steps)
  },
  holdingsSeen: takeHoldings,
  flowSeen: takeFlow,
  skimDue: ({ state, now }) => {
    state.skimDueAt = now
    state.schedule.isPlanDue = true
  },
  railFailed: takeRailFailure,
  payeeNamed: takePayeeName,
  quoteSeen: takeQuote,
  quoteFailed: takeQuoteFailure,
  attemptPrepared: takePrepared,
  prepareFailed: takeUnbuilt,
  legAnswered: takeAttemptAnswer,
  legRefused: takeRefusal,
  legSilent: takeSilence,
  resourceSeen: takeResource,
  findingSeen: takeFinding,
  webhookSeen: takeWebhook,
  supplySeen: takeSupply,
  reconcileSeen: takeReconciliation,
  ordered: takeOrder,
}

/** Applies one event to the state. */
export function handleTreasuryEvent(transition: TreasuryTransition, event: TreasuryEvent): void {
  const handle = HANDLERS[event.type] as (transition: TreasuryTransition, event: TreasuryEvent) => void
  handle(transition, event)
}
