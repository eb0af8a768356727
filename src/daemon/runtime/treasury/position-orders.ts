import { setTimeout as pause } from 'node:timers/promises'
import type { OperatorCommand } from '../../../core/engine/model/event.ts'
import { knownActive } from '../../../core/engine/activation/leaving.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import type { LegPlace, PositionOrder } from '../../../treasury/model/effect.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'
import type { Intent } from '../../../treasury/model/intent.ts'
import type { Clock } from '../position/clock.ts'
import type { RunningPosition } from '../position/run-position.ts'

type PositionOrderParts = {
  readonly position: Pick<RunningPosition, 'state' | 'command'>
  readonly clock: Pick<Clock, 'now'>
  /** Returns the wallet of our own partner user, to which the position withdraws; null = not read yet. */
  readonly treasuryAddress: () => string | null
  /** Ends every wait. */
  readonly signal: AbortSignal
  readonly withinMs?: number
}

const POLL_MS = 200
/** Shorter than the core's wait for an answer. A sweep takes more than a minute. */
const WITHIN_MS = 240_000
const WHO = 'treasury'

type Place = LegPlace & { readonly n: number }
/** Null = not decided yet. */
type Decided = { readonly received: bigint | null; readonly words: string } | null

/**
 * Sends an order of the treasury to its position as an operator command, and resolves with the outcome. Every order may be
 * repeated: the position recognizes a withdrawal and a top-up by their keys.
 */
export async function orderPosition(
  parts: PositionOrderParts,
  place: Place,
  order: PositionOrder,
  intent: Intent,
): Promise<TreasuryEvent> {
  const { position, clock } = parts
  const why = `intent ${intent.id}`
  const refused = (words: string, code = 'position_refused'): TreasuryEvent => ({
    ...place,
    t: clock.now(),
    type: 'legRefused',
    isFirst: true,
    code,
    words,
    retry: 'backoff',
  })
  const topUp = order.name === 'activate' ? topUpOf(place, intent) : null
  if (topUp !== null) {
    const booked = position.command(topUp, WHO, why)
    if (!booked.accepted) return refused(booked.answer)
  }
  const command = commandOf(parts, order)
  if (command === null) return refused('the wallet of our partner user was not read yet')
  const isOrdered = isNeeded(position.state(), order, intent, topUp !== null)
  if (isOrdered) {
    const { accepted, answer } = position.command(command, WHO, why)
    if (!accepted) {
      // The position refuses the key of a withdrawal whose outcome is unknown: it may have been sent.
      if (order.name === 'withdraw' && stageOf(position.state(), order.key) === 'unknown')
        return { ...place, t: clock.now(), type: 'legSilent', sent: 'maybe', words: answer }
      return refused(answer)
    }
  }
  const decide = () => decidedOf(position.state(), order, isOrdered, topUp?.amount ?? null)
  return awaitEnd(parts, place, order, decide, refused)
}

async function awaitEnd(
  { position, clock, signal, withinMs = WITHIN_MS }: PositionOrderParts,
  place: Place,
  order: PositionOrder,
  decide: () => Decided,
  refused: (words: string) => TreasuryEvent,
): Promise<TreasuryEvent> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += POLL_MS) {
    if (order.name === 'withdraw') {
      const stage = stageOf(position.state(), order.key)
      if (stage === 'failed' || stage === 'cancelled' || stage === 'expired')
        return refused(`the withdrawal has ${stage}: nothing was sent`)
      if (stage === 'unknown') break
    }
    const decided = decide()
    if (decided !== null) {
      const facts = { resourceId: null, reference: null, instructions: null, fee: null, ...decided }
      return { ...place, t: clock.now(), type: 'legAnswered', status: 'completed', ...facts }
    }
    if (!(await isStillOpen(signal))) break
  }
  const words = `the position has not confirmed it: ${order.name}`
  return { ...place, t: clock.now(), type: 'legSilent', sent: 'maybe', words }
}

/** Returns the top-up command for a transfer into the LP wallet before an activation: the position must book the tokens. */
function topUpOf(
  { intent: id, leg }: Place,
  { legs }: Intent,
): Extract<OperatorCommand, { name: 'topUp' }> | null {
  const before = legs[leg - 1]
  const isOurs = before?.kind === 'transfer' || before?.kind === 'onramp'
  if (before === undefined || !isOurs || before.to !== 'lpWallet' || before.received === null) return null
  return { name: 'topUp', asset: before.receiveAsset, amount: before.received, key: `${id}-${leg}` }
}

function commandOf({ treasuryAddress }: PositionOrderParts, order: PositionOrder): OperatorCommand | null {
  if (order.name === 'deactivate') return { name: 'deactivate', insists: true }
  if (order.name === 'activate') return { name: 'activate' }
  const toAddress = treasuryAddress()
  return toAddress === null ? null : { ...order, toAddress, by: WHO }
}

/** The answer of a deactivation of an inactive position: a later activation in the same intent leaves it inactive. */
const WAS_OUT = 'out of the market already'

/** An active position sweeps its wallet automatically once a top-up is booked, and an inactive one stays inactive. */
function isNeeded(state: EngineState, order: PositionOrder, { legs }: Intent, isTopUp: boolean): boolean {
  const { activation } = state
  if (order.name === 'withdraw') return true
  if (order.name === 'deactivate') return knownActive(state) !== false || Boolean(activation.leaving)
  const wasOut = legs.some(({ kind, why }) => kind === 'lpDeactivation' && why === WAS_OUT)
  return !isTopUp && !wasOut && (activation.isActive !== true || activation.wanted === false)
}

function decidedOf(
  state: EngineState,
  order: PositionOrder,
  isOrdered: boolean,
  toppedUp: bigint | null,
): Decided {
  const { activation, book, withdrawals } = state
  if (order.name === 'withdraw') {
    const request = withdrawals.requests.find(({ key }) => key === order.key)
    return request?.stage === 'done' ? { received: request.amount, words: 'confirmed by the venue' } : null
  }
  if (activation.inFlight !== null) return null
  if (order.name === 'deactivate') {
    // Wait until the venue and the wallet show the end: the next leg spends the returned tokens.
    if (knownActive(state) !== false || activation.leaving) return null
    return { received: null, words: isOrdered ? 'out of the market' : WAS_OUT }
  }
  const isSwept = ASSETS.every((asset) => book.accounts.wallet[asset] <= 0n)
  if (activation.isActive === true && isSwept) return { received: toppedUp, words: 'swept into the pool' }
  if (isOrdered || activation.isActive !== false) return null
  return { received: toppedUp, words: 'in the LP wallet: the position is out of the market' }
}

function stageOf({ withdrawals }: EngineState, key: string) {
  return withdrawals.requests.find((request) => request.key === key)?.stage ?? null
}

function isStillOpen(signal: AbortSignal): Promise<boolean> {
  return pause(POLL_MS, true, { signal }).catch(() => false)
}
