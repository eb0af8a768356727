import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/core/engine/engine.ts'
import type { Effect } from '../../../src/core/engine/model/effect.ts'
import type { Event } from '../../../src/core/engine/model/event.ts'
import { identityResidual } from '../../../src/core/ledger/book/pnl.ts'
import { encodeJson } from '../../../src/base/codec.ts'
import { coreHarness, type Harness } from '../../support/core-harness.ts'
import { failureOf } from '../../support/failure-of.ts'
import { bringDollars, bringShillings, NTZS, USD } from '../../support/taker.ts'
import { testStrategy } from '../../support/test-strategy.ts'

const ROUTES: readonly Effect['type'][] = [
  'readAccount',
  'readRate',
  'readBalances',
  'readFills',
  'readQuote',
  'setQuote',
  'activate',
]

/** What happens to a desk in a bad hour; every trouble ends with the next one. */
const trouble = fc.oneof(
  fc.record({
    kind: fc.constant('fails' as const),
    route: fc.constantFrom(...ROUTES),
    how: fc.constantFrom('refused' as const, 'server' as const, 'malformed' as const, 'timeout' as const),
    didHappen: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('restart' as const) }),
  fc.record({ kind: fc.constant('taker' as const), brings: fc.constantFrom('dollars', 'shillings') }),
  fc.record({ kind: fc.constant('mid' as const), bps: fc.integer({ min: -120, max: 120 }) }),
  fc.record({ kind: fc.constant('quiet' as const) }),
)
type Trouble = typeof trouble extends fc.Arbitrary<infer T> ? T : never

function befall(desk: Harness, one: Trouble): void {
  const { venue } = desk
  venue.answers = {}
  if (one.kind === 'restart') desk.restart()
  if (one.kind === 'taker' && venue.isActive) {
    if (one.brings === 'dollars' && venue.held.quoteAsk) bringDollars(venue, 37n * USD)
    if (one.brings === 'shillings' && venue.held.quoteBid) bringShillings(venue, 91_003n * NTZS + 17n)
  }
  if (one.kind === 'mid') {
    venue.mid = (venue.mid * BigInt(10_000 + one.bps)) / 10_000n
    venue.rateUpdatedAt = desk.now
  }
  if (one.kind === 'fails') {
    venue.answers[one.route] = (effect) => {
      if (one.didHappen && effect.type === 'setQuote') venue.held = effect.spread
      if (one.didHappen && effect.type === 'activate') venue.isActive = effect.isActive
      const isUnknown = one.didHappen || one.how === 'timeout'
      return failureOf(one.how, { outcome: isUnknown ? 'unknown' : 'failed' })
    }
  }
}

const restless = testStrategy((context) => {
  const random = context.random('wish')
  const side = () => (random() < 0.05 ? null : 20 + Math.round(random() * 200))
  return { bidBps: side(), askBps: side(), reasons: [] }
})

const hour = fc.array(fc.tuple(trouble, fc.integer({ min: 1, max: 20_000 })), { minLength: 1, maxLength: 40 })

function live(troubles: readonly (readonly [Trouble, number])[]): Harness {
  const desk = coreHarness({ strategy: restless })
  for (const [one, wait] of troubles) {
    befall(desk, one)
    desk.run(wait)
  }
  return desk
}

describe('a desk, whatever befalls it', () => {
  it('has every unit, every fill once and a quote it decided, when the trouble is over', () => {
    fc.assert(
      fc.property(hour, (troubles) => {
        const desk = live(troubles)
        desk.venue.answers = {}
        desk.run(300_000)
        const state = desk.state()
        const { pool, wallet } = state.book.accounts
        for (const asset of ['NTZS', 'USDC'] as const) {
          expect(pool[asset] + wallet[asset]).toBe(desk.venue.amounts[asset])
        }
        const ids = desk.observations.flatMap((seen) => (seen.type === 'fillPosted' ? [seen.fill.id] : []))
        expect(new Set(ids).size).toBe(ids.length)
        expect(state.reconciliation.state).toBe('reconciled')
        expect(identityResidual(state.book)).toEqual({ tzs: 0n, usd: 0n })
        expect(state.latch.halted).toBeNull()
        expect(state.quoting.status).toBe('confirmed')
        const { quotePairs: _, ...held } = desk.venue.held
        expect(state.quoting.inFlight?.spread ?? state.quoting.confirmed).toMatchObject(held)
        expect(desk.venue.isActive).toBe(state.activation.isActive)
      }),
      { numRuns: 20 },
    )
  })

  it('never asks the key for more than its minute allows', () => {
    fc.assert(
      fc.property(hour, (troubles) => {
        const { keyed } = live(troubles)
        let first = 0
        for (const [index, at] of keyed.entries()) {
          while (keyed[first]! <= at - 60_000) first += 1
          expect(index - first + 1).toBeLessThanOrEqual(60)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('can be started again at every point of its journal, and quotes within seconds', () => {
    fc.assert(
      fc.property(hour, fc.nat(), (troubles, point) => {
        const desk = live(troubles)
        const journal: Event[] = desk.journal.slice(0, 1 + (point % desk.journal.length))
        const engine = createEngine({ strategyFor: () => restless, calendar: () => false })
        for (const [index, event] of journal.entries()) engine.process(index + 1, event)
        const config = engine.state()!.config
        const t = engine.state()!.now
        engine.process(journal.length + 1, { type: 'started', t, version: 'next', config })
        const { quoting, requests, activation } = engine.state()!
        expect(quoting).toMatchObject({ status: 'unknown', inFlight: null })
        expect(activation).toMatchObject({ isActive: null, inFlight: null })
        expect(Object.values(requests).every(({ sentAt }) => sentAt === t)).toBe(true)
        const { effects } = engine.process(journal.length + 2, { type: 'tick', t: t + 5_001 })
        expect(encodeJson(effects)).toContain('setQuote')
      }),
      { numRuns: 20 },
    )
  })
})
