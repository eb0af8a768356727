import type { Ms } from '../base/time.ts'
import type { Rate } from '../base/money/rate.ts'
import { type Books, createBooks } from './books/books.ts'
import type { TreasuryConfig, VenueCaps } from './model/config.ts'
import type { TreasuryEventOf } from './model/event.ts'
import type { Intent, RegisteredName } from './model/intent.ts'
import type { KeyMemory } from './model/keys.ts'
import type { Holdings, TreasuryAsset } from './model/place.ts'
import { type FlowHistory, NO_FLOW } from './model/flow-history.ts'
import type { OwnQuote } from './model/plan-types.ts'

/** How long a payee has been known, by its name in the configuration. */
export type PayeeAge = {
  /** The account, phone or address; another one makes the payee new. */
  readonly to: string
  readonly listedAt: Ms
  /** From this time on any amount may be paid; null = only the small first payout. */
  admittedAt: Ms | null
  /** The operator was notified that its first payout may be sent. */
  isPayableTold?: true
  /** The last report of the venue; absent = no look-up yet. */
  registered?: RegisteredName
  /** The first known name, or a later one that a person confirmed. */
  knownAs?: string
  /** A different name that the venue reported: nothing is paid until an operator confirms it, or `knownAs` returns. */
  renamedTo?: string
  /** A person confirmed another name: only a payout that arrives admits the payee, no longer the configuration. */
  isNewAgain?: true
}

/** An intent's use of the caps. */
export type CapUse = {
  readonly intent: string
  readonly route: string
  readonly destination: string
  readonly asset: TreasuryAsset
  amount: bigint
  /** The start of the rolling day: the time of the plan, then of the latest sending. */
  at: Ms
}

/** The outcomes of a route; the lists hold the latest. */
export type RailMemory = {
  tries: number
  failures: number
  failuresInARow: number
  durationsMs: Ms[]
  costsBps: number[]
  restedUntil: Ms | null
}

/** The token's backing: its supply, the venue's reconciliation, and the usual supply changes. */
export type SupplyWatch = {
  /** Base units as reported by the venue and as on chain; null = not read yet, or no chain is configured. */
  reported: bigint | null
  onChain: bigint | null
  at: Ms | null
  /** Relative changes between readings of the last week. */
  changes: number[]
  /** Negative daily reconciliations in a row, and the last difference in base units. */
  negativeInARow: number
  difference: bigint | null
  reconciledAt: Ms | null
  /** Why the backing is in doubt; null = it is not. */
  alarm: string | null
}

/** The state of a treasury, which is the fold of its events: plain data that only the core changes. */
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
  /** The latest halt of the position that held intents; absent = none. */
  heldSince?: Ms
  /** The store was restored from a backup: nothing is sent until a person has confirmed the balances. */
  unconfirmed: { readonly since: Ms; readonly why: string } | null
  /** By id, oldest first: all open intents, and the ended ones of the history. */
  intents: Record<string, Intent>
  /** Ids of the intents that may still change: open ones, claims, and payouts that may come back. */
  watched: readonly string[]
  holdings: Holdings | null
  holdingsAt: Ms | null
  mid: Rate | null
  quote: OwnQuote
  /** Holdings of the venue's solver on chain at the last reading; null = not read. */
  solver: Readonly<Record<TreasuryAsset, bigint>> | null
  /** At the last reading, less than most of the value could be withdrawn. */
  isExitShort: boolean
  /** Rails whose last reading failed. */
  unreadable: { readonly rail: string; readonly words: string; readonly since: Ms }[]
  flow: FlowHistory
  /** When the cron of the skim last fired, if no plan followed; null = planned. */
  skimDueAt: Ms | null
  payees: Record<string, PayeeAge>
  capUses: CapUse[]
  books: Books
  rails: Record<string, RailMemory>
  /** Which keys the venue honours; absent = a journal from before this check. */
  keys?: KeyMemory
  /** The venue's caps on transfers as shown by refusals; absent = none yet. */
  transferCaps?: VenueCaps
  supply: SupplyWatch
  /** Refused steps of the plan by (rule, token, direction), with the reason. */
  refusedSteps: Record<string, string>
  /** Warnings of the last plan by code and subject, each of which was reported. */
  planWarnings: readonly string[]
  /** The times of the next requests to the shell. */
  schedule: { lookAt: Ms; supplyAt: Ms; reconcileAt: Ms; isPlanDue: boolean; wakeAt: Ms }
}

/** Returns the state of a treasury that has never run. */
export function createTreasuryState(event: TreasuryEventOf<'configured'>): TreasuryState {
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
    supply: {
      reported: null,
      onChain: null,
      at: null,
      changes: [],
      negativeInARow: 0,
      difference: null,
      reconciledAt: null,
      alarm: null,
    },
    refusedSteps: {},
    planWarnings: [],
    schedule: { lookAt: t, supplyAt: t, reconcileAt: t, isPlanDue: false, wakeAt: 0 },
  }
}

/** Returns why nothing may be sent now; null = sending is allowed. */
export function sendingObstacle({ config, stop, unconfirmed }: TreasuryState): string | null {
  if (stop !== null) return `stopped by ${stop.who}: ${stop.why}`
  if (unconfirmed !== null) return `${unconfirmed.why}; a person has to confirm the balances`
  return config.mode === 'plan' ? 'treasury.mode is plan: nothing is sent' : null
}
