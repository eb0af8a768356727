import { MINUTE_MS, type Ms } from '../../src/base/time.ts'
import type { VenueResponse } from '../../src/simulator/sandbox/api/request.ts'
import { createVenueModel } from '../../src/simulator/sandbox/model.ts'
import { DEFAULT_START_MS } from '../../src/simulator/sandbox/state.ts'
import { createScheduler } from './scheduler.ts'
import { createDaemon, type Daemon, type PlantedBug } from './daemon.ts'
import { checkEnd } from './invariants/ends-accounted-for.ts'
import { checkReplay } from './invariants/replays-alike.ts'
import { corridorHolds } from './invariants/corridor-holds.ts'
import { completeIsTheBook } from './invariants/complete-is-the-book.ts'
import { fillsPostOnce } from './invariants/fills-post-once.ts'
import { haltedNeverQuotes } from './invariants/halted-never-quotes.ts'
import { identitiesHold } from './invariants/identities-hold.ts'
import { knownIsTrue } from './invariants/known-is-true.ts'
import { ledgerConserves } from './invariants/ledger-conserves.ts'
import { noFalseAlarm } from './invariants/no-false-alarm.ts'
import { spreadsAreLegal } from './invariants/spreads-are-legal.ts'
import { unprovenNeverTrades } from './invariants/unproven-never-trades.ts'
import { wakesInTime } from './invariants/wakes-in-time.ts'
import { writesAreWanted } from './invariants/writes-are-wanted.ts'
import { createLiar } from './liar.ts'
import { type Befell, planMischief } from './mischief.ts'
import { createPeople } from './people.ts'
import { violated, type Invariant, type Step } from './step.ts'
import { resolveBooks } from './resolve-books.ts'
import { createTally, type Tally } from './tally.ts'
import { createVenueWatch } from './venue-watch.ts'
import type { WorldOptions } from './world-options.ts'

export type SimulationSettings = {
  /** Keeps the whole journal and replays it at the end: memory grows with the simulation. */
  readonly replay?: boolean
  /** Sees every step before the invariants do, to look closer at a seed that fails. */
  readonly trace?: (step: Step) => void
  /** Handed out before anything happens, for those who want its journal. */
  readonly onDaemon?: (daemon: Daemon) => void
  /** For those who want to see that the invariants find it. */
  readonly bug?: PlantedBug
  /**
   * What becomes of answers on their way. The venue is a liar then: what has to hold all the same is that nothing throws, and
   * that the books, the spreads and the writes are sound in themselves.
   */
  readonly spoil?: (response: VenueResponse) => VenueResponse
}

export type SimulationResult = {
  readonly tally: Tally
  readonly tradingState: string
  readonly reconciliation: string
  /** How often someone had to resolve the books after the quiet. */
  readonly resolved: number
  /** Why nothing is traded in the end, where a rule or a person has halted or paused it; null = no one has. */
  readonly latched: string | null
  readonly befell: Befell
  /** How often the venue went wrong on purpose, by its own counters. */
  readonly venueFaults: Readonly<Record<string, number>>
}

/** Before the end no one trades with us any longer, so that the books can be compared to the last unit. */
const NO_TRADE_MS = 15 * MINUTE_MS
const MOST_EXTENSIONS = 6

/**
 * One world from its first to its last moment, in virtual time: the real core behind a toy shell, the real
 * translation, the real venue without HTTP. Throws where an invariant does not hold.
 */
export function simulate(options: WorldOptions, settings: SimulationSettings = {}): SimulationResult {
  const model = createVenueModel(options.venue)
  const startMs = options.venue.startMs ?? DEFAULT_START_MS
  const endMs = startMs + options.lengthMs
  const untilMs = endMs - options.quietMs
  const scheduler = createScheduler()
  const tally = createTally()
  const watch = createVenueWatch(model, options.venue.requestsPerMinute ?? 60)
  const liar = createLiar()
  let trueNow = startMs
  const now = () => trueNow
  const sound = [
    wakesInTime(),
    spreadsAreLegal(tally),
    writesAreWanted(tally),
    ledgerConserves(),
    identitiesHold(),
  ]
  const truthful = () => [
    fillsPostOnce(model, tally),
    completeIsTheBook(model, watch, tally),
    haltedNeverQuotes(model, watch),
    knownIsTrue(model, watch),
    noFalseAlarm(options),
    unprovenNeverTrades(),
    corridorHolds(model, watch, liar),
  ]
  const { spoil } = settings
  const invariants: readonly Invariant[] = spoil === undefined ? [...sound, ...truthful()] : sound

  function onStep(step: Step): void {
    settings.trace?.(step)
    for (const invariant of invariants) invariant.check(step)
    count(tally, step)
    people.notice(step.state)
  }

  const keepJournal = settings.replay === true
  const onCrash = (seq: number) => invariants.forEach((invariant) => invariant.rewind?.(seq))
  const seen = { options, model, scheduler, watch, liar, now, keepJournal, onStep, onCrash }
  const daemon = createDaemon({
    ...seen,
    ...(settings.bug !== undefined && { bug: settings.bug }),
    ...(spoil !== undefined && { spoil }),
  })
  settings.onDaemon?.(daemon)
  const parts = { options, model, daemon, scheduler, watch, tally, now, untilMs }
  const people = createPeople(parts)
  const befell = planMischief(parts, liar)
  scheduler.add(startMs, daemon.start)

  function runUntil(end: Ms): void {
    for (;;) {
      const at = Math.min(scheduler.nextAt(), daemon.wakeAt())
      if (at > end) break
      trueNow = at
      model.advanceTo(at)
      watch.look(at)
      if (scheduler.nextAt() <= at) scheduler.runNext()
      else daemon.tick()
    }
    trueNow = end
    model.advanceTo(end)
  }

  runUntil(endMs - NO_TRADE_MS)
  model.inject({ suspended: true })
  let end = endMs
  runUntil(end)
  // Outages of a scenario last for hours, and one may begin in the quiet.
  for (let more = 0; more < MOST_EXTENSIONS && end - model.state.outageUntil < NO_TRADE_MS; more++) {
    end = model.state.outageUntil + NO_TRADE_MS
    runUntil(end)
  }
  // An activation that is asked for just now may have moved everything already: its outcome is awaited.
  for (let more = 0; more < MOST_EXTENSIONS && daemon.state()?.activation.inFlight != null; more++) {
    end += NO_TRADE_MS
    runUntil(end)
  }
  const resolved =
    spoil === undefined
      ? resolveBooks(daemon, (ms) => {
          end += ms
          runUntil(end)
        })
      : 0
  const state = daemon.state()
  if (state === null) violated('the daemon is not there at the end')
  tally.venueFills = model.state.ours.fillCount
  if ((model.state.counters['refused by the key limit'] ?? 0) > 0) violated('the venue refused for the limit')
  if (spoil === undefined) checkEnd(state, model)
  if (keepJournal) checkReplay(daemon)
  return {
    tally,
    tradingState: state.latch.halted === null ? (state.decision?.tradingState ?? 'none') : 'HALTED',
    reconciliation: state.reconciliation.state,
    resolved,
    latched: state.latch.halted?.rule ?? state.latch.paused?.why ?? null,
    befell,
    venueFaults: {
      ...model.state.counters,
      'fault row repeated': model.state.fillRows.spoilt.repeated,
      'fault row displaced': model.state.fillRows.spoilt.displaced,
    },
  }
}

function count(tally: Tally, { audit }: Step): void {
  tally.events += 1
  for (const { type } of audit.observations) {
    if (type === 'requestFailed') tally.failures += 1
    if (type === 'feeModelChanged') tally.feeModels += 1
  }
  for (const observation of audit.observations) {
    if (observation.type === 'reconciliationChanged' && observation.state === 'break') tally.gaps += 1
    if (observation.type === 'alert' && observation.code === 'foreign-hand') tally.foreignHands += 1
    if (observation.type === 'tradingStateChanged' && observation.to === 'HALTED') tally.halts += 1
  }
}
