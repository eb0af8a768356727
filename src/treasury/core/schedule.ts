import type { Ms } from '../../base/time.ts'
import { DAY_MS } from '../../base/time.ts'
import { watchPayees } from '../approvals/payees.ts'
import { lookForReturns } from '../intents/resource.ts'
import { advanceIntent } from '../intents/walk.ts'
import type { Intent } from '../model/intent.ts'
import type { TreasuryTransition } from '../transition.ts'

/** Number of ended intents kept for the history, besides those that may still change. */
const REMEMBERED = 500
/** A leg passes fewer stages than this between two answers of the shell. */
const MOST_STEPS = 10
const MAY_RETURN_MS = 15 * DAY_MS

/** Ends a transition: advances every intent as far as possible, requests due reads, and schedules the next wake-up. */
export function conclude(transition: TreasuryTransition): void {
  const { state, now, send } = transition
  let next = Infinity
  state.watched = state.watched.filter((id) => {
    const intent = state.intents[id]
    if (intent === undefined) return false
    const due = advanceFully(transition, intent)
    const returnsAt = lookForReturns(transition, intent)
    next = Math.min(next, due, returnsAt)
    return intent.endedAt === null || returnsAt < Infinity
  })
  next = Math.min(next, readDue(transition), watchPayees(transition))
  const { schedule } = state
  if (schedule.isPlanDue && state.holdings !== null) {
    schedule.isPlanDue = false
    send({ type: 'plan' })
  }
  const wakeAt = Math.max(now + 1, next)
  if (wakeAt !== schedule.wakeAt || now >= schedule.wakeAt) {
    schedule.wakeAt = wakeAt
    if (wakeAt < Infinity) send({ type: 'wake', at: wakeAt })
  }
}

/** Advances an intent until nothing is due now. Ends because each step moves a leg forward. */
function advanceFully(transition: TreasuryTransition, intent: Intent): Ms {
  let due = advanceIntent(transition, intent)
  for (let tries = 0; due <= transition.now && tries < MOST_STEPS; tries++)
    due = advanceIntent(transition, intent)
  return due
}

/** Requests the due reads: balances, supply, the venue's reconciliation. Returns when the next one is due. */
function readDue({ state, now, send }: TreasuryTransition): Ms {
  const { schedule, config } = state
  if (now >= schedule.lookAt) {
    schedule.lookAt = now + config.pollEveryMs
    send({ type: 'look' })
  }
  if (now >= schedule.supplyAt) {
    schedule.supplyAt = now + config.supply.everyMs
    send({ type: 'readSupply' })
  }
  if (now >= schedule.reconcileAt) {
    schedule.reconcileAt = now + config.supply.reconcileEveryMs
    send({ type: 'reconcile' })
  }
  return Math.min(schedule.lookAt, schedule.supplyAt, schedule.reconcileAt)
}

/** Drops the oldest ended intents beyond the history. Keeps claims, and payouts that may come back. */
export function forgetOld({ state, now }: TreasuryTransition): void {
  const intents = Object.values(state.intents)
  if (intents.length <= REMEMBERED) return
  const ended = intents.filter(
    ({ endedAt, stage }) => endedAt !== null && stage !== 'claim' && now - endedAt > MAY_RETURN_MS,
  )
  for (const { id } of ended.slice(0, Math.max(0, ended.length - REMEMBERED))) delete state.intents[id]
}
