import type { Ms } from '../base/time.ts'
import type { Rate } from '../base/money/rate.ts'
import { type Books, createBooks } from './books/books.ts'
import type { TreasuryConfig, VenueCaps } from './model/config.ts'
import type { TreasuryEvent } from './model/event.ts'
import type { Intent, RegisteredName } from './model/intent.ts'
import type { KeyMemory } from './model/keys.ts'
import type { Holdings, TreasuryAsset } from './model/place.ts'
import { type FlowHistory, NO_FLOW } from './model/flow-history.ts'
import type { OwnQuote } from './model/plan-types.ts'
import { createSupplyWatch, type SupplyWatch } from './core/supply-state.ts'

/** How long a payee has been known, by its name in the configuration. */
export type PayeeAge = {
  /** The account, phone or address: a payee of the same name with another one is a new payee. */
  readonly to: string
  readonly listedAt: Ms
  /** Since when any amount may be paid; null = only the first small payout. */
  admittedAt: Ms | null
  /** People were notified that its first payout may leave. */
  isPayableTold?: true
  /** What the venue reported last; absent = no one was looked up yet. */
  registered?: RegisteredName
  /** The first name that was known, or the one that a person confirmed since. */
  knownAs?: string
  /** The venue reported this name instead: nothing is paid until a person has confirmed it, or `knownAs` is back. */
  renamedTo?: string
  /** A person confirmed another name: the configuration no longer admits it, only a payout that arrives. */
  isNewAgain?: true
}

/** What an intent uses of the caps. */
export type CapUse = {
  readonly intent: string
  readonly route: string
  readonly destination: string
  readonly asset: TreasuryAsset
  amount: bigint
  /** Of the plan at first, then of the last sending: the rolling day begins there. */
  at: Ms
}

/** What is remembered of a route's outcomes; the lists hold the last ones. */
export type RailMemory = {
  tries: number
  failures: number
  failuresInARow: number
  durationsMs: Ms[]
  costsBps: number[]
  restedUntil: Ms | null
}

/** The memory of a treasury: the fold of its events. Plain data, changed in place by the core alone. */
export type TreasuryState = {
  now: Ms
  startedAt: Ms
  processStartedAt: Ms
  version: string | null
  config: TreasuryConfig
  policyHash: string
  /** The token that loaded the policy in force; null = the start of the process. */
  author: string | null
  /** Nothing is sent while it is set. */
  stop: { readonly by: string; readonly who: string; readonly at: Ms; readonly why: string } | null
  /** The latest halt of the position that held what was approved; absent = none did. */
  heldSince?: Ms
  /** The store was restored from a backup: nothing is sent until a person has confirmed the balances. */
  unconfirmed: { readonly since: Ms; readonly why: string } | null
  /** By id, oldest first: all that is open, and of the ended ones what the history shows. */
  intents: Record<string, Intent>
  /** Ids of the intents that time may change: the open ones, claims, and payouts that may come back. */
  watched: readonly string[]
  holdings: Holdings | null
  holdingsAt: Ms | null
  mid: Rate | null
  quote: OwnQuote
  /** What the venue's solver held on chain at the last reading; null = not read. */
  solver: Readonly<Record<TreasuryAsset, bigint>> | null
  /** Less than most of the position could come home at the last reading. */
  isExitShort: boolean
  /** Rails whose last reading failed. */
  unreadable: { readonly rail: string; readonly words: string; readonly since: Ms }[]
  flow: FlowHistory
  /** When the cron of the skim fired last without a plan since; null = it has been planned. */
  skimDueAt: Ms | null
  payees: Record<string, PayeeAge>
  capUses: CapUse[]
  books: Books
  rails: Record<string, RailMemory>
  /** What the venue has shown of its keys; absent = the journal is from before they were distrusted. */
  keys?: KeyMemory
  /** What refusals have shown that the venue takes by transfers; absent = nothing yet. */
  transferCaps?: VenueCaps
  supply: SupplyWatch
  /** Steps of the plan that the core refused, by (rule, token, direction), and why. */
  refusedSteps: Record<string, string>
  /** Warnings of the last plan, by code and subject: each was reported when it appeared. */
  planWarnings: readonly string[]
  /** When the shell is asked next. */
  schedule: { lookAt: Ms; supplyAt: Ms; reconcileAt: Ms; isPlanDue: boolean; wakeAt: Ms }
}

/** The memory of a treasury that has never run. */
export function createTreasuryState(
  event: Extract<TreasuryEvent, { readonly type: 'configured' }>,
): TreasuryState {
  const { t, config, policyHash, author } = event
  return {
    now: t,
    startedAt: t,
    processStartedAt: t,
    version: null,
    config,
    policyHash,
    author,
    stop: null,
    unconfirmed: null,
    intents: {},
    watched: [],
    holdings: null,
    holdingsAt: null,
    mid: null,
    quote: { bidBps: null, askBps: null, isActive: false, isHalted: false },
    solver: null,
    isExitShort: false,
    unreadable: [],
    flow: NO_FLOW,
    skimDueAt: null,
    payees: {},
    capUses: [],
    books: createBooks(),
    rails: {},
    supply: createSupplyWatch(),
    refusedSteps: {},
    planWarnings: [],
    schedule: { lookAt: t, supplyAt: t, reconcileAt: t, isPlanDue: false, wakeAt: 0 },
  }
}

/** Why nothing may be sent now; null = it may. */
export function sendingObstacle({ config, stop, unconfirmed }: TreasuryState): string | null {
  if (stop !== null) return `stopped by ${stop.who}: ${stop.why}`
  if (unconfirmed !== null) return `${unconfirmed.why}; a person has to confirm the balances`
  return config.mode === 'plan' ? 'treasury.mode is plan: nothing is sent' : null
}
