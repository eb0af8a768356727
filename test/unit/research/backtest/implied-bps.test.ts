import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { impliedBps, settle, type TapeVenue } from '../../../../src/research/backtest/venue/venue.ts'
import { RunDigest } from '../../../../src/research/backtest/simulation/run-digest.ts'
import { createRunState } from '../../../../src/research/backtest/simulation/state.ts'
import { type StableAsset, TOKEN_UNIT } from '../../../../src/base/money/asset.ts'
import { dollarsForShillings, shillingsForDollars } from '../../../../src/base/money/payout.ts'
import {
  balancesRow,
  fillRow,
  MID,
  NTZS,
  partsOf,
  rateRow,
  runTape,
  sourceOf,
  START,
  USD,
} from '../../../support/backtest-tape.ts'
import { coreConfig } from '../../../support/core-config.ts'
import { testStrategy } from '../../../support/test-strategy.ts'

const stable = fc.constantFrom<StableAsset>('USDC', 'USDT', 'USDT.bnb')
const spread = fc.integer({ min: 10, max: 500 })
const formula = fc.constantFrom('divide' as const, 'multiply' as const)
const feeBps = fc.constantFrom(0, 10, 20)
const CENT = USD / 100n
const cents = fc.bigInt({ min: 100n, max: 10n ** 9n })

function venueWith(pool: Partial<TapeVenue['pool']>): TapeVenue {
  const { venue } = createRunState(partsOf(sourceOf([])), new RunDigest())
  venue.mid = MID
  Object.assign(venue.pool, pool)
  return venue
}

describe('the spread that a recorded fill was made at', () => {
  test('is read back from what the venue pays, in every token, formula and fee, said or not', () => {
    fc.assert(
      fc.property(
        stable,
        spread,
        formula,
        feeBps,
        cents,
        fc.constantFrom('bid' as const, 'ask' as const),
        fc.boolean(),
        (token, bps, bidFormula, protocolFeeBps, amount, side, isSaid) => {
          const terms = { protocolFeeBps, bidFormula }
          const amountIn = side === 'ask' ? amount * CENT : amount * 25n * NTZS
          const venue = venueWith({ NTZS: 10n ** 40n, [token]: 10n ** 40n })
          const settled = settle(venue, side, token, amountIn, bps, terms)
          if (typeof settled === 'string') throw new Error(settled)
          const row = fillRow(START, 'f', {
            from: settled.inAsset,
            to: settled.outAsset,
            amountIn,
            amountOut: settled.amountOut,
            protocolFee: isSaid ? settled.fee : null,
          })
          expect(impliedBps(row, side, MID, terms)).toBe(bps)
        },
      ),
      { numRuns: 300, seed: 20_261_102 },
    )
  })

  test('is nothing where the amounts give none', () => {
    const terms = { protocolFeeBps: 10, bidFormula: 'divide' as const }
    const nothing = { amountIn: 5n, amountOut: 0n }
    expect(
      impliedBps(fillRow(START, 'f', { from: 'NTZS', to: 'USDC', ...nothing }), 'bid', MID, terms),
    ).toBeNull()
    const free = { from: 'USDC', to: 'NTZS', amountIn: 0n } as const
    expect(impliedBps(fillRow(START, 'f', free), 'ask', MID, terms)).toBeNull()
  })

  test('stands in for our quote on a tape without quotes: wider than that wins nothing', async () => {
    const paid = (bps: number) => (shillingsForDollars(10n * USD, MID, bps, 'down') * 9_990n) / 10_000n
    const row = (id: string, bps: number) =>
      fillRow(START + 60_000, id, { from: 'USDC', to: 'NTZS', amountIn: 10n * USD, amountOut: paid(bps) })
    const rows = [rateRow(START, MID), balancesRow(START), row('a', 59), row('b', 60), row('c', 61)]
    const { told } = await runTape(rows)
    expect(told.fills.map(({ id }) => id)).toEqual(['b', 'c'])
  })

  test('of a venue that multiplies is not taken for a wider one', async () => {
    // At 400 bps the two formulas are 16 bps apart.
    const gross = dollarsForShillings(10n ** 24n, MID, 400, 'multiply', TOKEN_UNIT.USDC, 'down')
    const bid = {
      from: 'NTZS',
      to: 'USDC',
      amountIn: 10n ** 24n,
      amountOut: (gross * 9_990n) / 10_000n,
    } as const
    const rows = [rateRow(START, MID), balancesRow(START), fillRow(START + 60_000, 'f', bid)]
    const at = (bps: number) => testStrategy(() => ({ bidBps: bps, askBps: 60, reasons: [] }))
    const core = { fees: { ...coreConfig().fees, bidFormula: 'multiply' as const } }
    expect((await runTape(rows, { core, strategy: at(400) })).outcome.fills).toBe(1)
    expect((await runTape(rows, { core, strategy: at(401) })).outcome.fills).toBe(0)
  })
})

describe('a swap against the pool', () => {
  const terms = { protocolFeeBps: 10, bidFormula: 'divide' as const }

  test('is settled where the pool holds the whole payout at mid, to the unit, and not one unit below', () => {
    fc.assert(
      fc.property(
        stable,
        cents,
        spread,
        fc.constantFrom('bid' as const, 'ask' as const),
        (token, amount, bps, side) => {
          const amountIn = side === 'ask' ? amount * CENT : amount * 25n * NTZS + 7n
          const atMid =
            side === 'ask'
              ? shillingsForDollars(amountIn, MID, 0, 'down')
              : dollarsForShillings(amountIn, MID, 0, 'divide', TOKEN_UNIT[token], 'down')
          const out = side === 'ask' ? 'NTZS' : token
          expect(
            settle(venueWith({ [out]: atMid - TOKEN_UNIT[out] }), side, token, amountIn, bps, terms),
          ).toBe('inventory')
          const venue = venueWith({ [out]: atMid })
          const settled = settle(venue, side, token, amountIn, bps, terms)
          if (typeof settled === 'string') throw new Error(settled)
          expect(venue.pool[out]).toBe(atMid - settled.amountOut - settled.fee)
          expect(venue.pool[side === 'ask' ? token : 'NTZS']).toBe(amountIn)
        },
      ),
      { numRuns: 200, seed: 20_261_102 },
    )
  })

  test('of so little that nothing is paid out does not count, and moves nothing', () => {
    const venue = venueWith({ NTZS: 10n ** 24n, USDC: 1_000n * USD })
    expect(settle(venue, 'bid', 'USDC', 10n ** 12n, 60, terms)).toBe('dust')
    expect(venue.pool).toMatchObject({ NTZS: 10n ** 24n, USDC: 1_000n * USD })
  })
})
