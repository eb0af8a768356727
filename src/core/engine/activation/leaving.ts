import type { Ms } from '../../../base/time.ts'
import { position } from '../../ledger/book/book.ts'
import { isBalanced } from '../../ledger/reconciliation/state.ts'
import { type Asset, ASSETS, formatTokens } from '../../../base/money/asset.ts'
import type { ActivationEvent } from '../model/event.ts'
import type { FailedReturn } from '../model/venue-answer.ts'
import type { EngineState } from '../model/state.ts'
import { beginDrain, whyDraining } from './drain.ts'
import type { Leaving } from '../model/activation-state.ts'

/** After this many answers with the same reason the venue cannot return a token, and is not asked again. */
const NOT_RETURNABLE_AFTER = 3

/**
 * Starts a deactivation, regardless of what the account shows, after the quote was widened; `isHurried`: at once. A repeated
 * command does not wait again.
 */
export function startLeaving(state: EngineState, now: Ms, isHurried: boolean): void {
  const drain = drainOf(state, now, isHurried)
  state.activation.leaving = { ...newLeaving(state, now), ...(drain !== undefined && { drain }) }
}

function newLeaving({ activation, book }: EngineState, now: Ms): Leaving {
  // The cause of an earlier failure does not apply to this call.
  activation.problem = null
  const held = position(book)
  const tokens = ASSETS.filter((asset) => held[asset] > 0n)
  return { since: now, attempts: 0, doneAt: null, tokens, returned: [], kept: [] }
}

/**
 * Starts or ends a deactivation by a halt or a rule. Like an operator's, it is sent regardless of what the account shows and
 * repeated until its end is proven. Journals from before `drainMs` were decided by the account alone.
 */
export function leaveByRule(state: EngineState, isWanted: boolean, now: Ms): void {
  const { activation, config } = state
  if (config.quote.drainMs === null || config.rfq !== null) return
  if (!isWanted) {
    if (activation.leaving?.isAutomatic === true) activation.leaving = null
    return
  }
  if (activation.leaving !== null || activation.hasLeft) return
  activation.leaving = { ...newLeaving(state, now), isAutomatic: true }
}

function drainOf(state: EngineState, now: Ms, isHurried: boolean): Leaving['drain'] {
  const { leaving } = state.activation
  if (leaving) return isHurried && leaving.drain ? null : leaving.drain
  return isHurried ? undefined : (beginDrain(state, now) ?? undefined)
}

/** Records the progress that an answer shows. */
export function recordLeavingProgress(
  leaving: Leaving,
  now: Ms,
  { isActive, partial, returned, failed = [] }: ActivationEvent,
): void {
  leaving.attempts += 1
  leaving.doneAt = !isActive && !partial ? now : null
  leaving.returned = ASSETS.filter((asset) => leaving.returned.includes(asset) || returned.includes(asset))
  const settled = partial ? leaving.kept.filter(isNotReturnable) : []
  const open = failed.flatMap((one) => {
    if (settled.some(({ token }) => token === one.token)) return []
    const before = leaving.kept.find(({ token, reason }) => token === one.token && reason === one.reason)
    return [{ ...one, count: (before?.count ?? 0) + 1 }]
  })
  leaving.kept = [...settled, ...open].filter(({ asset }) => asset === null || !returned.includes(asset))
}

function isNotReturnable({ count }: Leaving['kept'][number]): boolean {
  return count >= NOT_RETURNABLE_AFTER
}

/** The venue refused a deactivation because the account is inactive: now the wallet has to show the end. */
export function recordLeavingRefusal({ activation }: EngineState, code: string, now: Ms): void {
  if (activation.leaving && code === 'POSITION_INACTIVE') activation.leaving.doneAt = now
}

/**
 * Returns the stage of the deactivation. It ends after an answer that everything is out, once each token was listed as returned
 * or a reading of the wallet equals the ledger; `isActive: false` of the account alone is no proof. It is stuck if the venue
 * can return no more.
 */
export function leavingStage(state: EngineState): 'none' | 'repeated' | 'stuck' {
  const { leaving } = state.activation
  if (leaving === null) return 'none'
  if (!isProvenOut(state, leaving)) return isStuck(leaving) ? 'stuck' : 'repeated'
  state.activation.leaving = null
  if (state.config.quote.drainMs !== null) state.activation.hasLeft = true
  return 'none'
}

function isProvenOut(state: EngineState, { doneAt, tokens, returned }: Leaving): boolean {
  const { activation, reconciliation, config } = state
  if (doneAt === null || activation.isActive !== false) return false
  if (config.strictReadings && mayStillEnter(state)) return false
  // In self-custody the venue's balances are not read: only the chain shows the wallet.
  if (config.rfq !== null) return true
  const isListed = tokens.every((asset) => returned.includes(asset))
  return isListed || (isBalanced(reconciliation) && (reconciliation.matchedAt ?? 0) >= doneAt)
}

/** Each token was returned or cannot be returned, and at least one cannot. No further request is sent. */
export function isStuck(leaving: Leaving): boolean {
  const { kept } = leaving
  return kept.length > 0 && kept.every(isNotReturnable) && unnamed(leaving).length === 0
}

/** Tokens that no answer listed as returned or kept. */
function unnamed({ tokens, returned, kept }: Leaving): readonly Asset[] {
  return tokens.filter((token) => !returned.includes(token) && !kept.some(({ asset }) => asset === token))
}

/** Returns whether one of our activations may still take effect; an inactive account then proves nothing. */
function mayStillEnter({ activation, requests, now }: EngineState): boolean {
  const { inFlight, enteringUntil, unansweredUntil } = activation
  const request = inFlight === null ? undefined : requests[inFlight]
  const isAsked = request?.what === 'activate' && request.isActive
  return isAsked || now < Math.max(enteringUntil ?? 0, unansweredUntil ?? 0)
}

/** Returns why the account's last `isActive` may be out of date or does not show where the tokens are; null = it holds. */
export function whyActiveUnknown(state: EngineState): string | null {
  const { activation, reconciliation } = state
  if (reconciliation.unreadable.figures['account'] !== undefined) return 'GET /account cannot be read'
  if (activation.isActive !== false) return null
  if (mayStillEnter(state)) return 'an activation may still take effect'
  return activation.isPoolShown ? 'GET /balances still names the pool' : null
}

/** Returns whether the position is active; null = unknown. */
export function knownActive(state: EngineState): boolean | null {
  return whyActiveUnknown(state) === null ? state.activation.isActive : null
}

/** Returns a sentence about why the deactivation has not ended; null = it has. */
export function whyStillLeaving(state: EngineState): string | null {
  const { activation, reconciliation } = state
  const { leaving, problem } = activation
  if (leaving === null) return null
  const drains = whyDraining(state, leaving)
  if (drains !== null) return drains
  if (leaving.kept.length > 0) return whyKept(leaving)
  if (mayStillEnter(state)) return 'an activation that was sent before it may still take effect'
  if (leaving.doneAt === null) return problem ?? 'the venue has not reported that the position is out'
  return `the venue reports that the position is out, but the wallet does not show it yet: ${reconciliation.why}`
}

function whyKept(leaving: Leaving): string {
  const [settled, open] = [true, false].map((isEnd) =>
    keptText(leaving.kept.filter((one) => isNotReturnable(one) === isEnd)),
  )
  const silent = unnamed(leaving).join(', ')
  return [
    ...(settled ? [`not returnable by this venue, so not requested again: ${settled}`] : []),
    ...(open ? [`still in the pool: ${open}`] : []),
    ...(silent ? [`not mentioned by the venue: ${silent}`] : []),
  ].join('; ')
}

/** Lists each token that the venue did not return, with its amount if stated, and the venue's reason. */
export function keptText(failed: readonly FailedReturn[]): string {
  return failed
    .map(({ token, asset, amount, reason }) => {
      const much = amount === null || asset === null ? '' : `${formatTokens(amount, asset)} `
      return `${much}${asset ?? token} (${reason})`
    })
    .join(', ')
}
