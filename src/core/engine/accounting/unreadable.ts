import type { Fill, QuarantinedRow } from '../../ledger/fills/fill.ts'
import type { ReconciliationAction } from '../../ledger/reconciliation/actions.ts'
import {
  acceptRow,
  acceptUnreadable,
  clearUnreadable,
  countUnreadable,
  forgetNamelessRows,
  isAnyUnreadable,
  recordStated,
  recordUnreadable,
  rowSource,
} from '../../ledger/reconciliation/unreadable.ts'
import { ledgerAt } from '../../ledger/reconciliation/state.ts'
import { safeAfterUnreadable } from '../../risk/rules/accounting-rules.ts'
import type { PollKind } from '../../pacing/state.ts'
import type { BalancesEvent, Event, QuoteReadEvent, RateEvent, RequestFailedEvent } from '../model/event.ts'
import type { EngineState } from '../model/state.ts'
import { isPoll } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'
import { applyActions, areFundsMoving } from './reconcile.ts'

/** The polls whose figures trading depends on; with `strictReadings` also the account. */
const COUNTED: ReadonlySet<PollKind> = new Set<PollKind>([
  'balances',
  'fills',
  'rate',
  'quoteBid',
  'quoteAsk',
])

/** In self-custody the chain shows the wallet, and the venue's balances are ignored. */
function isWalletOnChain({ config, activation }: EngineState): boolean {
  return config.rfq !== null && activation.isActive === false
}

/** Applies the actions of a change, and reports when the last unreadable figure can be read again. */
function apply(transition: Transition, change: () => readonly ReconciliationAction[]): void {
  const { reconciliation } = transition.state
  const wasAny = isAnyUnreadable(reconciliation)
  applyActions(transition, change())
  if (wasAny && !isAnyUnreadable(reconciliation))
    transition.inform('unreadable', 'every figure of the venue can be read again')
}

function clear(transition: Transition, isCleared: (source: string) => boolean): void {
  const { reconciliation } = transition.state
  if (!isAnyUnreadable(reconciliation)) return
  apply(transition, () => clearUnreadable(reconciliation, isCleared))
}

/** Counts an answer of the venue towards the age of unreadable figures. */
export function countAnswered(transition: Transition, event?: Event): void {
  if (event?.type === 'account') clear(transition, (source) => source === 'account')
  const { state, now } = transition
  const limit = state.config.risk.maxUnreadableMs
  const age = limit === null ? null : countUnreadable(state.reconciliation, now)
  if (age === null || limit === null) return
  // An inactive position has no quote to read back.
  if (state.activation.isActive === false) clear(transition, (source) => source.startsWith('quote'))
  const bounds = [safeAfterUnreadable(limit), limit]
  if (bounds.some((bound) => age.before < bound && age.now >= bound)) transition.requestDecision('balances')
}

/** Records a poll whose answer has an unreadable field. Silence, 5xx, 429 and broken JSON do not count. */
export function recordUnreadablePoll(
  transition: Transition,
  { failure: { code, status, message } }: RequestFailedEvent,
): void {
  const { state, now, request } = transition
  if (request === undefined || !isPoll(request)) return
  const { what } = request
  const isCounted = COUNTED.has(what) || (what === 'account' && state.config.strictReadings)
  if (code !== 'MALFORMED' || status === null || status >= 300 || !isCounted) return
  if (state.config.risk.maxUnreadableMs === null || (what === 'balances' && isWalletOnChain(state))) return
  countAnswered(transition)
  apply(transition, () => recordUnreadable(state.reconciliation, what, message, now))
}

/** Handles GET /rate: a mid that is missing or inexact is unreadable. */
export function recordReadableRate(transition: Transition, { unreadable }: RateEvent): void {
  const { state, now } = transition
  if (unreadable === undefined) clear(transition, (source) => source === 'rate')
  else if (state.config.risk.maxUnreadableMs !== null)
    apply(transition, () => recordUnreadable(state.reconciliation, 'rate', `GET /rate: ${unreadable}`, now))
}

/** GET /quote of a side could be read. */
export function recordReadableQuote(transition: Transition, { side }: QuoteReadEvent): void {
  const source = side === 'bid' ? 'quoteBid' : 'quoteAsk'
  clear(transition, (one) => one === source)
}

/** GET /balances could be read. Tokens missing during one of our transfers are in flight. */
export function recordReadableBalances(transition: Transition, event: BalancesEvent): void {
  const { state, now } = transition
  if (state.config.risk.maxUnreadableMs === null) return
  if (isWalletOnChain(state)) return clear(transition, (source) => source.startsWith('balances'))
  const { reconciliation, activation, book } = state
  const where = event.source ?? (activation.isActive === true ? 'pool' : 'wallet')
  const isMoving = areFundsMoving(state) || event.sentAt < reconciliation.voidBefore
  if (isMoving || activation.isActive === null) return clear(transition, (source) => source === 'balances')
  const held = ledgerAt(where, book.accounts)
  apply(transition, () => recordStated(reconciliation, { amounts: event.amounts, where, t: now }, held))
}

/** GET /fills was answered: `rows` are readable, `quarantined` are not. */
export function recordReadableRows(
  transition: Transition,
  rows: readonly Fill[],
  quarantined: readonly QuarantinedRow[],
): void {
  const { state, now } = transition
  if (state.config.risk.maxUnreadableMs === null) return
  const { reconciliation } = state
  if (quarantined.length === 0 && !isAnyUnreadable(reconciliation)) return
  const bad = new Map(quarantined.map((row) => [rowSource(row), row]))
  const good = new Set(rows.map(rowSource).filter((source) => !bad.has(source)))
  clear(transition, (source) => source === 'fills' || good.has(source))
  if (state.config.strictReadings)
    apply(transition, () => forgetNamelessRows(reconciliation, [...bad.keys()]))
  // Rows of the first answer before the opening are part of the opening.
  const isHistory = !reconciliation.opened && reconciliation.polls.length === 0
  for (const [source, { reason }] of bad) {
    if (isHistory) acceptRow(reconciliation.unreadable, source)
    else {
      const why = `GET /fills: ${source}: ${reason}`
      apply(transition, () => recordUnreadable(reconciliation, source, why, now))
    }
  }
}

/**
 * Accepts unreadable rows after an operator's `resume` if the balances match. Returns a sentence about them; null = every row
 * is readable.
 */
export function acceptRows(transition: Transition): string | null {
  const { reconciliation } = transition.state
  let accepted: readonly string[] = []
  apply(transition, () => {
    const { rows, actions } = acceptUnreadable(reconciliation)
    accepted = rows
    return actions
  })
  if (accepted.length > 0)
    return `the balances match: rows of GET /fills accepted without booking: ${shownRows(accepted)}`
  const { figures } = reconciliation.unreadable
  const waiting = Object.keys(figures).filter((source) => source.startsWith('row '))
  if (waiting.length === 0) return null
  return `still unreadable in GET /fills: ${shownRows(waiting)}; resume once more when the balances match`
}

const MOST_SHOWN = 5

function shownRows(rows: readonly string[]): string {
  const more = rows.length - MOST_SHOWN
  return `${rows.slice(0, MOST_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
