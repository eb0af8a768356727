import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../../../src/base/codec.ts'
import { createFlow, type FlowState } from '../../../../../src/core/engine/model/flow-state.ts'
import {
  countMarkout,
  markoutsOn,
  recordRateUpdate,
  settleMarkouts,
} from '../../../../../src/core/engine/accounting/markouts.ts'
import type { EngineState } from '../../../../../src/core/engine/model/state.ts'
import type { Fill } from '../../../../../src/core/ledger/fills/fill.ts'
import { createMarket } from '../../../../../src/core/market/market-state.ts'
import { coreHarness } from '../../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../../support/taker.ts'

const rate = (tzsPerUsd: number) => BigInt(Math.round(tzsPerUsd * 1e6)) * 10n ** 12n

/** A market whose moments a test makes by hand. */
class Tape {
  readonly state: Pick<EngineState, 'flow' | 'market' | 'now'> = {
    flow: createFlow(),
    market: createMarket(),
    now: 0,
  }

  constructor(mid = 2_500) {
    this.state.market.mid = rate(mid)
  }

  /** Time continues to an event, as the core's does. */
  at(t: number): this {
    this.state.now = t
    settleMarkouts(this.state)
    return this
  }

  update(mid: number, publishedAt: number | null = this.state.now): this {
    this.state.market.mid = rate(mid)
    recordRateUpdate(this.state, publishedAt)
    return this
  }

  reference(tzsPerUsd: number): this {
    this.state.market.reference = { source: 'feed', mid: rate(tzsPerUsd), at: this.state.now }
    return this
  }

  /** We sell dollars this many bps above 2,500. */
  sells(usd: number, bps: number, createdAt: number | null = this.state.now, debit = 0n): this {
    const amountIn = rate(usd * 2_500 * (1 + bps / 1e4))
    const legs = { inAsset: 'NTZS', amountIn, outAsset: 'USDC', amountOut: rate(usd) } as const
    countMarkout(this.state, fillOf({ side: 'bid', createdAt, ...legs }), debit)
    return this
  }

  /** We buy dollars this many bps below 2,500. */
  buys(usd: number, bps: number): this {
    const amountOut = rate(usd * 2_500 * (1 - bps / 1e4))
    const legs = { inAsset: 'USDC', amountIn: rate(usd), outAsset: 'NTZS', amountOut } as const
    countMarkout(this.state, fillOf({ side: 'ask', createdAt: this.state.now, ...legs }), 0n)
    return this
  }
}

function fillOf(
  legs: Pick<Fill, 'side' | 'inAsset' | 'amountIn' | 'outAsset' | 'amountOut' | 'createdAt'>,
): Fill {
  return { id: 'f', fee: 0n, earnedText: null, txHash: null, raw: '', ...legs }
}

/** What the settled updates of a side came to, bps each. */
function settledBps({ markouts }: FlowState, side: 'bid' | 'ask'): number[] {
  return (markouts?.settled[side] ?? []).map(({ sum, usd }) => Math.round((sum / usd) * 1e6) / 1e6)
}

describe('the markouts of a position', () => {
  test('a sale of dollars at 60 bps before mid and reference rise by 100 comes to -40', () => {
    const tape = new Tape().reference(2_500).at(1).sells(100, 60).at(2).update(2_525).reference(2_525).at(3)
    expect(settledBps(tape.state.flow, 'bid')).toEqual([-40])
  })

  test('wait for all rows of the moment: a reference after the update in the same moment counts', () => {
    const tape = new Tape().reference(2_500).at(1).sells(100, 60).at(2).update(2_525)
    expect(settledBps(tape.state.flow, 'bid')).toEqual([])
    tape.reference(2_512.5).at(3).reference(2_600)
    expect(settledBps(tape.state.flow, 'bid')).toEqual([10])
  })

  test('a purchase of dollars before the shilling weakens gains, and before it strengthens loses', () => {
    const up = new Tape().at(1).buys(100, 60).at(2).update(2_525).at(3)
    expect(settledBps(up.state.flow, 'ask')).toEqual([160])
    const down = new Tape().at(1).buys(100, 60).at(2).update(2_475).at(3)
    expect(settledBps(down.state.flow, 'ask')).toEqual([-40])
  })

  test('are net of the fee that our position paid', () => {
    const tape = new Tape()
      .at(1)
      .sells(100, 60, 1, 10n ** 17n)
      .at(2)
      .update(2_500.000001)
      .at(3)
    // A tenth of a dollar more left us for 100: 10 bps, of 100.1 dollars.
    expect(settledBps(tape.state.flow, 'bid')[0]).toBeCloseTo((1e4 * (100.6 - 100.1)) / 100.1, 3)
  })

  test('weigh fills by their dollars, and fills before one update share it', () => {
    const tape = new Tape().at(1).sells(100, 60).sells(300, 20).at(2).update(2_525).at(3)
    expect(settledBps(tape.state.flow, 'bid')).toEqual([(100 * -40 + 300 * -80) / 400])
    expect(tape.state.flow.markouts?.settled.bid).toHaveLength(1)
  })

  test('are shown once they span two updates, with the error between updates', () => {
    const tape = new Tape().at(1).sells(100, 60).sells(100, 60).at(2).update(2_525).at(3)
    expect(markoutsOn(tape.state.flow, 'bid')).toBeNull()
    tape.update(2_500).at(4).sells(100, 60).at(5).update(2_512.5).at(6)
    const shown = markoutsOn(tape.state.flow, 'bid')
    expect(shown?.fills).toBe(3)
    expect(shown?.meanBps).toBeCloseTo((-40 - 40 + 10) / 3, 3)
    expect(shown?.errorBps).toBeGreaterThan(20)
    expect(markoutsOn(tape.state.flow, 'ask')).toBeNull()
  })

  test('a fill that the core learns of after the update that followed it counts towards that update', () => {
    const tape = new Tape().at(1).sells(100, 60).at(5).update(2_525, 4).at(6).sells(100, 20, 3)
    const sum = (100 * -40 + 100 * ((1e4 * (2_505 - 2_525)) / 2_525)) / 200
    expect(settledBps(tape.state.flow, 'bid')[0]).toBeCloseTo(sum, 3)
    tape.at(7).sells(100, 20, 5).at(8).update(2_500, 8).at(9)
    expect(settledBps(tape.state.flow, 'bid')).toHaveLength(2)
  })

  test('remember the last thirty updates of a side, and their state does not grow', () => {
    const tape = new Tape()
    for (let day = 0; day < 200; day++)
      tape
        .at(2 * day + 1)
        .sells(50, 60)
        .at(2 * day + 2)
        .update(2_500 + (day % 2))
    const { markouts } = tape.at(1_000).state.flow
    expect(markouts?.settled.bid).toHaveLength(30)
    expect(markoutsOn(tape.state.flow, 'bid')?.fills).toBe(30)
  })

  test('are finite for whatever comes in whatever order', () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('sells' as const),
        usd: fc.integer({ min: 1, max: 1e6 }),
        at: fc.nat(50),
      }),
      fc.record({ kind: fc.constant('buys' as const), usd: fc.integer({ min: 1, max: 1e6 }) }),
      fc.record({ kind: fc.constant('update' as const), mid: fc.integer({ min: 1, max: 10_000 }) }),
      fc.record({ kind: fc.constant('pass' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const tape = new Tape()
        for (const [i, one] of steps.entries()) {
          if (one.kind === 'sells') tape.sells(one.usd, 60, one.at)
          else if (one.kind === 'buys') tape.buys(one.usd, 60)
          else if (one.kind === 'update') tape.update(one.mid)
          else tape.at(i)
        }
        for (const side of ['bid', 'ask'] as const) {
          const shown = markoutsOn(tape.at(1_000).state.flow, side)
          if (shown === null) continue
          expect(Number.isFinite(shown.meanBps) && shown.errorBps >= 0 && Number.isInteger(shown.fills)).toBe(
            true,
          )
        }
      }),
    )
  })

  test('stand in the state of a core at work, and come back from a snapshot as they were', () => {
    const core = coreHarness({ venue: { isActive: true } })
    core.run(20_000)
    bringDollars(core.venue, 100n * USD)
    core.run(20_000)
    core.venue.mid = rate(2_475)
    core.run(60_000)
    const { markouts } = core.state().flow
    expect(markouts?.settled.ask).toHaveLength(1)
    expect(settledBps(core.state().flow, 'ask')[0]).toBeLessThan(-35)
    expect(decodeJson(encodeJson(markouts))).toEqual(markouts)
    core.restart()
    core.run(10_000)
    expect(core.state().flow.markouts).toEqual(markouts)
  })
})
