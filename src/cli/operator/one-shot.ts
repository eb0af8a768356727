import type { CommandResult } from '../output/print.ts'
import type { Ms } from '../../base/time.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { isOrderEffect, type Effect, type OrderEffect } from '../../core/engine/model/effect.ts'
import type { Event } from '../../core/engine/model/event.ts'
import type { Observation } from '../../core/engine/model/observation.ts'
import type { VenueFailure } from '../../core/engine/model/venue-answer.ts'
import { MAX_SPREAD_BPS } from '../../base/money/bps.ts'
import { systemClock, type Clock } from '../../daemon/runtime/position/clock.ts'
import {
  openPositionHold,
  type PositionHold,
  storeOptions,
} from '../../daemon/runtime/lease/position-hold.ts'
import { openVenueClient } from '../../daemon/runtime/effects/connect-venue.ts'
import {
  removeSavedStops,
  readSavedStops,
  stopsOfJournal,
} from '../../daemon/runtime/position/saved-stops.ts'
import { runPosition, type RunningPosition } from '../../daemon/runtime/position/run-position.ts'
import { openStore } from '../../store/journal/open-store.ts'
import { readRequests } from '../../store/requests-file.ts'
import { storeFiles } from '../../store/store-files.ts'
import type { StoreFailure } from '../../store/failure.ts'
import type { VenuePort } from '../../venue/port.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { strategyLoader } from '../../daemon/runtime/position/strategy-registry.ts'
import { version } from '../../base/text/version.ts'

/** A position that runs for one command and then ends. */
export type OneShot = {
  readonly position: RunningPosition
  /** Everything the core observed so far, oldest first. */
  readonly observations: readonly Observation[]
  /** True once `look` returns true; false after `withinMs` or a failure of the journal. */
  readonly until: (look: () => boolean, withinMs: Ms) => Promise<boolean>
  /** Whether the journal can no longer be written. */
  readonly hasFailed: () => boolean
}

/** Why a command could not be performed. `store` = how its store failed. */
type NotDone = CommandResult & { readonly store?: StoreFailure['kind'] }

const POLL_MS = 25

/**
 * Runs the real loop (journal, ledger, risk) around one command, without a daemon. Sends only the effects in `sends`,
 * and reads. Changes nothing else at the venue, because a quote would be unmonitored once the process ends.
 */
export async function oneShot<Answer>(
  config: LoadedConfig,
  sends: Exclude<Effect['type'], 'setQuote'>,
  work: (shot: OneShot) => Promise<Answer>,
): Promise<Result<Answer, NotDone>> {
  const hold = openPositionHold(config)
  const client = clientUnder(hold, config)
  try {
    const askedAt = Date.now()
    const account = await client.account()
    if (!account.ok)
      return err({ exitCode: EXIT_CODE.unconfirmed, answer: `nothing was sent: ${account.error.message}` })
    const store = await openStore(config.store.place, storeOptions(hold))
    if (!store.ok) return err(notDone(store.error))
    let failure: StoreFailure | null = null
    store.value.onFailure((reported) => (failure = reported))
    const kept = stopsOfJournal(readSavedStops(config.store.path))
    const clock = systemClock()
    const observations: Observation[] = []
    const position = await runPosition({
      config,
      version,
      store: store.value,
      clock,
      perform: performOnly(client, clock, sends),
      observe: (observation) => void observations.push(observation),
      observeDecision: () => undefined,
      heartbeat: { enter: () => undefined, leave: () => undefined },
      suspension: null,
      stops: kept,
      alreadySent: [askedAt, ...readRequests(storeFiles(config.store.path).requests, askedAt)].sort(
        (a, b) => a - b,
      ),
      loadStrategy: strategyLoader(config),
    })
    hold?.attach(position)
    const until = (look: () => boolean, withinMs: Ms) => waitFor(look, () => failure !== null, withinMs)
    const answer = await work({ position, observations, until, hasFailed: () => failure !== null })
    position.stop()
    await store.value.close()
    if (failure === null) removeSavedStops(kept)
    return failure === null ? ok(answer) : err(notDone(failure))
  } finally {
    hold?.close()
    await client.close()
  }
}

function notDone({ kind, message }: StoreFailure): NotDone {
  return { exitCode: EXIT_CODE.failed, answer: message, store: kind }
}

/** A command that was suspended and wakes up late changes nothing at the venue, because another daemon may hold the position by then. */
export function clientUnder(hold: Pick<PositionHold, 'gate'> | null, config: LoadedConfig): VenuePort {
  return openVenueClient(config, hold === null ? {} : { gate: hold.gate })
}

const WRITES: readonly Effect['type'][] = ['setQuote', 'activate', 'withdraw']

function performOnly(client: Pick<VenuePort, 'perform'>, clock: Clock, sends: Effect['type']) {
  return async (effect: Effect): Promise<Event> => {
    if (isOrderEffect(effect)) return keptBackOrder(effect, clock)
    if (effect.type !== sends && WRITES.includes(effect.type) && !isForLeaving(effect, sends)) {
      return { type: 'requestFailed', t: clock.now(), request: effect.id, failure: keptBack(effect.type) }
    }
    return client.perform(effect, clock.now)
  }
}

/** The widest quote before a deactivation is safe without a process that watches it. */
function isForLeaving(effect: Effect, sends: Effect['type']): boolean {
  if (effect.type !== 'setQuote' || sends !== 'activate') return false
  return Math.min(effect.spread.bidBps, effect.spread.askBps) >= MAX_SPREAD_BPS
}

/** A single command reads no chain and signs nothing: the daemon resumes the orders later. */
function keptBackOrder(effect: OrderEffect, clock: Clock): Event {
  const base = { t: clock.now(), request: effect.id, failure: keptBack(effect.type) }
  if (effect.type === 'reserveOrder') {
    const { salt } = effect.reservation.order
    return { ...base, type: 'orderFailed', salt, hash: null, stage: 'sign', isVoid: true }
  }
  if (effect.type !== 'placeOrder') return { ...base, type: 'requestFailed' }
  const { salt } = effect.order
  return { ...base, type: 'orderFailed', salt, hash: null, stage: 'sign', isVoid: true }
}

function keptBack(what: Effect['type']): VenueFailure {
  return {
    kind: 'refused',
    code: 'ONE_SHOT',
    status: null,
    route: what,
    message: `${what} was withheld: no daemon runs, and this command changes one thing only`,
    retriable: false,
    outcome: 'failed',
    retryAfterMs: null,
  }
}

async function waitFor(look: () => boolean, isOver: () => boolean, withinMs: Ms): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!look()) {
    if (isOver() || performance.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}
