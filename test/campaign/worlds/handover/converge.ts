import { MINUTE_MS, SECOND_MS, type Ms } from '../../../../src/base/time.ts'
import type { EngineState } from '../../../../src/core/engine/model/state.ts'
import { createCalendar } from '../../../../src/daemon/runtime/position/calendar.ts'
import { recover } from '../../../../src/daemon/runtime/position/recover-position.ts'
import { checkEnd } from '../../../world/invariants/ends-accounted-for.ts'
import { violated } from '../../../world/step.ts'
import type { DayResult } from '../../fault-world.ts'
import type { DeskDaemon } from './daemon.ts'
import type { HandOverDay } from './day.ts'
import { STRATEGY } from './settings.ts'

/** Anyone who is paused wakes up, a position that was taken out is taken in again, and what an operator asked for has ended. */
const HEAL_MS: Ms = 2 * MINUTE_MS
const BOOKS_MS: Ms = 90 * SECOND_MS
const AFTER_KILL_MS: Ms = 10 * SECOND_MS
const AFTER_SIGTERM_MS: Ms = 3 * SECOND_MS
const ANSWERED_WITHIN_MS: Ms = 5 * SECOND_MS
const STANDS_BY_WITHIN_MS: Ms = 30 * SECOND_MS

/** Heals everything, and demands what the product promises of a position that several daemons may hold. */
export async function converge(day: HandOverDay): Promise<DayResult['seen']> {
  day.heal()
  for (let step = 0; step < 3; step++) {
    await day.until(day.now + HEAL_MS / 3)
    helpOut(day)
  }
  await day.until(day.now + HEAL_MS)
  await mustQuote(day)
  const afterKillMs = await takeOver(day, 'kill -9', AFTER_KILL_MS, ({ parts }) =>
    day.kill(parts.machine.name),
  )
  day.heal()
  const afterSigtermMs = await takeOver(day, 'SIGTERM', AFTER_SIGTERM_MS, ({ parts }) =>
    day.leave(parts.machine.name),
  )
  day.venue.model.inject({ suspended: true })
  await day.until(day.now + BOOKS_MS)
  const holder = await mustQuote(day)
  const state = holder.state()
  if (state !== null && day.lostEvents === 0) mustBeBooked(day, state)
  const { writes, grants, appends, zombies } = day.watch
  return {
    'writes to the venue': writes,
    'grants of the position': grants,
    'commits of the journal': appends,
    'fills at the venue': day.venue.model.state.ours.fillCount,
    'writes that landed after one of the next holder': zombies,
    'events that a replica did not have': day.lostEvents,
    'longest until quoted after kill -9, ms': afterKillMs,
    'longest until quoted after SIGTERM, ms': afterSigtermMs,
  }
}

/** What a person does: lifts a latch, and takes the position in again. */
function helpOut(day: HandOverDay): void {
  const state = day.holder()?.state() ?? null
  if (state === null) return
  if (state.latch.halted !== null) day.command({ name: 'resume' })
  if (state.activation.wanted === false) day.command({ name: 'activate' })
}

/** The one that holds, and whose quote stands; where books cannot be explained it is the safe one. */
async function mustQuote(day: HandOverDay): Promise<DeskDaemon> {
  // A quote that has just landed is confirmed once its answer is here.
  await day.until(day.now + ANSWERED_WITHIN_MS, () => day.holder()?.state()?.quoting.inFlight === null)
  const trading = day.living().filter(({ phase }) => phase === 'trades')
  const [holder] = trading
  if (holder === undefined) violated('healed, no one holds the position')
  if (trading.length > 1) violated('healed, two hold the position')
  const why = notQuoted(day, holder)
  if (why !== null) violated(`healed, ${holder.holder} holds the position, and ${why}`)
  return holder
}

/** What is missing to a quote that is confirmed and stands; null = nothing. */
function notQuoted(day: HandOverDay, daemon: DeskDaemon): string | null {
  const state = daemon.state()
  if (state === null) return 'has not read its journal'
  const { quoting, approvedTarget, reconciliation, latch } = state
  if (quoting.status !== 'confirmed') return `its quote is ${quoting.status}`
  if (!day.venue.holds(quoting.confirmed)) {
    const { bidBps, askBps } = day.venue.model.state.ours
    return `${bidBps}/${askBps} bps stand, which it has not confirmed`
  }
  if (day.lostEvents > 0 && (reconciliation.state === 'break' || latch.halted !== null)) return null
  if (latch.halted !== null) return `it is halted: ${latch.halted.why}`
  if (approvedTarget?.kind !== 'quote') return `it wants ${approvedTarget?.kind ?? 'nothing'}`
  return null
}

async function takeOver(
  day: HandOverDay,
  how: string,
  withinMs: Ms,
  end: (holder: DeskDaemon) => void,
): Promise<Ms> {
  const holder = day.holder()
  if (holder === null) violated(`healed, no one holds the position before ${how}`)
  const isStoodBy = () => day.living().some((one) => day.server.database.standsBy(one.holder))
  await day.until(day.now + STANDS_BY_WITHIN_MS, isStoodBy)
  if (!isStoodBy()) violated('healed, no one stands by')
  const endedAt = day.now
  end(holder)
  const isQuoted = () => {
    const next = day.holder()
    return next !== null && next !== holder && notQuoted(day, next) === null
  }
  await day.until(endedAt + withinMs, isQuoted)
  const next = day.holder()
  if (!isQuoted())
    violated(
      `after ${how} of ${holder.holder} there is no confirmed quote within ${withinMs} ms: ${next === null ? 'no one holds the position' : notQuoted(day, next)}`,
    )
  const tookMs = Math.round(day.now - endedAt)
  await day.until(day.now + STANDS_BY_WITHIN_MS)
  return tookMs
}

/** The books are the venue's, and where the whole journal is replayed it has each fill once. */
function mustBeBooked(day: HandOverDay, state: EngineState): void {
  const { model } = day.venue
  if (state.reconciliation.state === 'break') violated(`in the end a break: ${state.reconciliation.why}`)
  checkEnd(state, model)
  if (day.isReplayed) mustBeBookedOnce(day)
}

function mustBeBookedOnce(day: HandOverDay): void {
  const booked = new Set<string>()
  recover({
    ...day.server.database.journal(true),
    suspensions: [],
    strategyFor: () => STRATEGY,
    calendar: createCalendar(),
    onAudit(_, { observations }) {
      for (const observation of observations) {
        if (observation.type !== 'fillPosted') continue
        const { id } = observation.fill
        if (booked.has(id)) violated(`fill ${id} was booked twice`)
        booked.add(id)
      }
    },
  })
  const { fillCount } = day.venue.model.state.ours
  if (booked.size !== fillCount) violated(`${booked.size} fills are booked, and there were ${fillCount}`)
}
