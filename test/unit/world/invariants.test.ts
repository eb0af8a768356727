import { describe, expect, it } from 'vitest'
import type { Effect, Spread } from '../../../src/core/engine/model/effect.ts'
import type { Event } from '../../../src/core/engine/model/event.ts'
import type { Observation } from '../../../src/core/engine/model/observation.ts'
import type { LedgerEntry } from '../../../src/core/ledger/book/book.ts'
import { bookAmounts } from '../../../src/base/money/asset.ts'
import { createVenueModel } from '../../../src/simulator/sandbox/model.ts'
import { coreHarness } from '../../support/core-harness.ts'
import { drawWorld } from '../../world/draw-world.ts'
import { completeIsTheBook } from '../../world/invariants/complete-is-the-book.ts'
import { corridorHolds } from '../../world/invariants/corridor-holds.ts'
import { createLiar } from '../../world/liar.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import { checkEnd } from '../../world/invariants/ends-accounted-for.ts'
import { fillsPostOnce } from '../../world/invariants/fills-post-once.ts'
import { haltedNeverQuotes } from '../../world/invariants/halted-never-quotes.ts'
import { identitiesHold } from '../../world/invariants/identities-hold.ts'
import { knownIsTrue } from '../../world/invariants/known-is-true.ts'
import { ledgerConserves } from '../../world/invariants/ledger-conserves.ts'
import { noFalseAlarm } from '../../world/invariants/no-false-alarm.ts'
import { spreadsAreLegal } from '../../world/invariants/spreads-are-legal.ts'
import { unprovenNeverTrades } from '../../world/invariants/unproven-never-trades.ts'
import { wakesInTime } from '../../world/invariants/wakes-in-time.ts'
import { writesAreWanted } from '../../world/invariants/writes-are-wanted.ts'
import type { Step } from '../../world/step.ts'
import { createTally } from '../../world/tally.ts'
import { createVenueWatch } from '../../world/venue-watch.ts'

const SAFE: Spread = { bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true, quotePairs: null }

/** A step of a core that has run for a while, with whatever is wrong in it. */
function step(change: { effects?: Effect[]; observations?: Observation[]; event?: Event; wakeIn?: number }) {
  const desk = coreHarness()
  desk.run(20_000)
  const state = desk.state()
  const made: Step = {
    seq: 100,
    event: change.event ?? { type: 'tick', t: desk.now },
    audit: {
      seq: 100,
      effects: change.effects ?? [],
      observations: change.observations ?? [],
      wakeAt: state.now + (change.wakeIn ?? 1_000),
      reconcileAt: Infinity,
    },
    state,
    now: desk.now,
  }
  return made
}

function patch(spread: Partial<Spread>): Effect {
  return { type: 'setQuote', id: 1, spread: { ...SAFE, ...spread } }
}

describe('the invariants of the world find what they are there for', () => {
  it('a spread out of range, both sides off, and an empty list of pairs', () => {
    const { check } = spreadsAreLegal(createTally())
    check(step({ effects: [patch({})] }))
    expect(() => check(step({ effects: [patch({ bidBps: 9 })] }))).toThrow(/9\/500/)
    expect(() => check(step({ effects: [patch({ askBps: 501 })] }))).toThrow(/500\/501/)
    expect(() => check(step({ effects: [patch({ quoteBid: false, quoteAsk: false })] }))).toThrow(
      /both sides/,
    )
    expect(() => check(step({ effects: [patch({ quotePairs: [] })] }))).toThrow(/without a pair/)
  })

  it('a request more than the venue allows in a minute, and a spread no one has asked for', () => {
    const model = createVenueModel()
    const watch = createVenueWatch(model, 3)
    for (const at of [0, 30_000, 59_999]) watch.arrived(at)
    watch.arrived(60_000)
    expect(() => watch.arrived(60_001)).toThrow(/4 requests/)
    model.state.ours.bidBps = 77
    expect(() => watch.look(70_000)).toThrow(/77\/500/)
  })

  it('an entry that makes a unit, an account that lost one, and a number that is missing', () => {
    const postings = [{ account: 'pool', asset: 'USDC', amount: 1n }] as const
    const entry: LedgerEntry = { number: 1, t: 0, kind: 'adjustment', reason: '', fillId: null, postings }
    const posted = (made: LedgerEntry) => step({ observations: [{ type: 'entryPosted', entry: made }] })
    expect(() => ledgerConserves().check(posted(entry))).toThrow(/1 of USDC/)
    expect(() => ledgerConserves().check(posted({ ...entry, number: 2, postings: [] }))).toThrow(
      /2 follows 0/,
    )
    const lost = posted({ ...entry, postings: [] })
    lost.state.book.accounts.pool.NTZS -= 1n
    expect(() => ledgerConserves().check(lost)).toThrow(/-1 of NTZS/)
    expect(() => identitiesHold().check(lost)).toThrow(/identities are off/)
  })

  it('a fill that is posted twice, and one that never happened; not one posted again after a crash', () => {
    const model = createVenueModel({ isActive: true })
    const done = model.swap({ from: 'USDC', to: 'NTZS', amountIn: 1_000_000n })
    if (!done.ok) throw new Error(done.error)
    const { fills } = model.state.ours
    const id = fills[0]?.id ?? 'none: the competitor had it'
    const posted = (name: string) =>
      step({ observations: [{ type: 'fillPosted', fill: { id: name } } as unknown as Observation] })
    fills.push({ ...done.value, id: 'real' })
    const invariant = fillsPostOnce(model, createTally())
    invariant.check(posted('real'))
    expect(() => invariant.check(posted('real'))).toThrow(/and again/)
    invariant.rewind?.(99)
    invariant.check(posted('real'))
    expect(() => invariant.check(posted(`${id}-not`))).toThrow(/never happened/)
  })

  it('a quote while halted, an activation while halted, and a venue that quotes on', () => {
    const model = createVenueModel({ isActive: true, spread: { bidBps: 60, askBps: 60 } })
    const { check } = haltedNeverQuotes(model, createVenueWatch(model, 60))
    const halted = (effects: Effect[], later = 0): Step => {
      const made = step({ effects })
      made.state.latch.halted = { rule: 'operator', why: 'test', since: 0 }
      return { ...made, now: model.state.now + later }
    }
    check(halted([patch({})]))
    expect(() => check(halted([patch({ bidBps: 60 })]))).toThrow(/halted, .* 60\/500/)
    expect(() => check(halted([{ type: 'activate', id: 1, isActive: true }]))).toThrow(/was activated/)
    expect(() => check(halted([], 3_600_000))).toThrow(/still quotes 60\/60/)
  })

  it('a mid in force outside the corridor, a quote made from it, and an absurd mid that is traded at for long', () => {
    const model = createVenueModel({ isActive: true, spread: { bidBps: 60, askBps: 60 } })
    const liar = createLiar()
    const { check } = corridorHolds(model, createVenueWatch(model, 60), liar)
    const corridor = { min: 2_000n * RATE_ONE, max: 3_000n * RATE_ONE }
    const bound = (effects: Effect[] = [], later = 0): Step => {
      const made = step({ effects })
      made.state.config = {
        ...made.state.config,
        risk: { ...made.state.config.risk, priceCorridor: corridor },
      }
      return { ...made, now: model.state.now + later }
    }
    check(bound([patch({ bidBps: 60 })]))
    const led = bound()
    led.state.market.mid = corridor.max + 1n
    expect(() => check(led)).toThrow(/outside the corridor/)
    const refused = (effects: Effect[]) => {
      const made = bound(effects)
      made.state.market.refusal = { rule: 'price-corridor', mid: 1n }
      return made
    }
    check(refused([patch({})]))
    expect(() => check(refused([patch({ askBps: 60 })]))).toThrow(/ of 500\/60/)
    expect(() => check(refused([{ type: 'activate', id: 1, isActive: true }]))).toThrow(/activated on/)
    liar.begin('triple', model.state.now)
    check(bound())
    expect(() => check(bound([], 3_600_000))).toThrow(/absurd mid .* 60\/60/)
    liar.end()
    check(bound([], 3_600_000))
  })

  it('a confirmed quote that the venue does not hold', () => {
    const model = createVenueModel()
    const watch = createVenueWatch(model, 60)
    const { check } = knownIsTrue(model, watch)
    const event: Event = { type: 'quoteSet', t: 0, request: 7, spread: SAFE }
    watch.confirmed.set(7, 0)
    expect(() => check(step({ event }))).toThrow(/confirmed 60\/60, .* 500\/500/)
  })

  it('a wake-up that has passed, and one that never comes', () => {
    expect(() => wakesInTime().check(step({ wakeIn: 0 }))).toThrow(/is not after/)
    expect(() => wakesInTime().check(step({ wakeIn: Infinity }))).toThrow(/sleeps Infinity/)
  })

  it('a withdrawal that no one has asked for', () => {
    const effect: Effect = { type: 'withdraw', id: 1, asset: 'USDC', amount: 1n, toAddress: '0x' }
    expect(() => writesAreWanted(createTally()).check(step({ effects: [effect] }))).toThrow(/no one has/)
  })

  it('a gap in a world where everything is explicable', () => {
    const options = drawWorld(1)
    const { people, mischief, venue } = options
    const calm = {
      ...options,
      venue: { ...venue, faults: {}, paysSlippageFloor: false },
      people: { ...people, dashboardPerDay: 0 },
      mischief: { ...mischief, depositsPerDay: 0, theftsPerDay: 0, shortfallsPerDay: 0 },
    }
    const gap = step({
      observations: [
        { type: 'reconciliationChanged', t: 0, state: 'break', why: 'x', unreconciled: { USDC: 10n ** 12n } },
      ],
    })
    expect(() => noFalseAlarm(calm).check(gap)).toThrow(/false gap/)
    noFalseAlarm({ ...calm, mischief: { ...mischief, theftsPerDay: 1 } }).check(gap)
  })

  it('trading that continues while no answer proves the books', () => {
    const { check } = unprovenNeverTrades()
    const at = step({})
    const { reconciliation } = at.state
    reconciliation.state = 'pending'
    const { decision } = at.state
    if (decision !== null) decision.tradingState = 'ACTIVE'
    const answers = (seconds: number) => {
      for (let second = 0; second < seconds; second += 5) {
        at.state.now += 5_000
        const reading = { sentAt: 0, t: at.state.now, amounts: {}, where: 'pool' } as const
        reconciliation.snapshot = reading
        const event: Event = { type: 'balances', t: 0, request: 5, sentAt: 0, amounts: {}, source: 'pool' }
        check({ ...at, event })
      }
    }
    answers(150)
    expect(() => answers(10)).toThrow(/ACTIVE after 155000 ms/)
  })

  it('books called complete that are not the venue’s, and an end that does not add up', () => {
    const model = createVenueModel()
    const watch = createVenueWatch(model, 60)
    const { check } = completeIsTheBook(model, watch, createTally())
    const { pool, wallet } = model.state.ours
    watch.readings.set(5, { pool: bookAmounts(pool), wallet: bookAmounts(wallet), isActive: false, fills: 0 })
    const event: Event = { type: 'balances', t: 0, request: 5, sentAt: 0, amounts: {}, source: 'wallet' }
    const read = step({ event })
    const { reconciliation } = read.state
    reconciliation.snapshot = { sentAt: 0, t: read.state.now, amounts: {}, where: 'wallet' }
    reconciliation.matchedAt = read.state.now
    expect(() => check(read)).toThrow(/ledger's wallet has/)
    expect(() => checkEnd(read.state, model)).toThrow(/invariant violated/)
  })
})
