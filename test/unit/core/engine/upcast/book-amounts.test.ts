import { describe, expect, test } from 'vitest'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { upcastBookAmounts } from '../../../../../src/core/engine/upcast/book-amounts.ts'
import { completeConfig } from '../../../../../src/core/engine/upcast/config.ts'
import type { Written } from '../../../../../src/core/engine/upcast/upcaster.ts'
import {
  readEvent,
  readObservation,
  upcastEvent,
  WRITTEN_VERSION,
} from '../../../../../src/core/engine/upcast/written.ts'

/** One unit of USDC and USDT as a book amount. */
const UNIT = 10n ** 12n
const NTZS = 10n ** 18n

const ASK = { id: 'a', side: 'ask', inAsset: 'USDC', amountIn: 5_000_000n, outAsset: 'NTZS' }
const BID = { id: 'b', side: 'bid', inAsset: 'NTZS', amountIn: 7n * NTZS, outAsset: 'USDT' }
const ON_BNB = { id: 'c', inAsset: 'USDT.bnb', amountIn: 3n, outAsset: 'NTZS', amountOut: 4n, fee: null }

const EVENTS: readonly (readonly [string, Written, Written])[] = [
  [
    'balances',
    { type: 'balances', t: 1, amounts: { NTZS: 3n, USDC: 2n, USDT: 0n, 'USDT.bnb': 9n }, source: 'pool' },
    {
      type: 'balances',
      t: 1,
      amounts: { NTZS: 3n, USDC: 2n * UNIT, USDT: 0n, 'USDT.bnb': 9n },
      source: 'pool',
    },
  ],
  [
    'fills',
    {
      type: 'fills',
      t: 1,
      fills: [
        { ...ASK, amountOut: 12n * NTZS, fee: 2n, raw: '{"amountIn":"5"}' },
        { ...BID, amountOut: 3_000n, fee: null },
        ON_BNB,
      ],
      quarantined: [],
    },
    {
      type: 'fills',
      t: 1,
      fills: [
        { ...ASK, amountIn: 5_000_000n * UNIT, amountOut: 12n * NTZS, fee: 2n, raw: '{"amountIn":"5"}' },
        { ...BID, amountOut: 3_000n * UNIT, fee: null },
        ON_BNB,
      ],
      quarantined: [],
    },
  ],
  [
    'started',
    started({
      limits: { NTZS: { min: 1n, max: 2n }, USDC: { min: null, max: 8n }, USDT: { min: 3n, max: null } },
      dustUnits: { NTZS: 4n, USDC: 5n, USDT: 6n, 'USDT.bnb': 7n },
    }),
    completeConfig(
      started({
        limits: {
          NTZS: { min: 1n, max: 2n },
          USDC: { min: null, max: 8n * UNIT },
          USDT: { min: 3n * UNIT, max: null },
        },
        dustUnits: { NTZS: 4n, USDC: 5n * UNIT, USDT: 6n * UNIT, 'USDT.bnb': 7n },
      }),
    ),
  ],
]

/** The caps of withdrawals and what a strategy was given are the same before and after. */
function started({ limits, dustUnits }: { readonly limits: unknown; readonly dustUnits: unknown }): Written {
  return {
    type: 'started',
    t: 1,
    config: {
      inventory: { target: 0.5, limits },
      risk: { dustUnits, maxLossUsd: 10n },
      withdraw: { maxPerDay: { NTZS: 1n, USDC: 2n } },
      strategy: { use: 'own', params: { USDC: 3n } },
      rfq: { tokens: { NTZS: '0x1', USDC: '0x2' } },
    },
  }
}

describe.each([1, 2])('a record of version %i', (version) => {
  test.each(EVENTS)('of a %s event is read in book amounts', (_, before, after) => {
    expect(readEvent(encodeJson({ v: version, ...before }))).toEqual(after)
  })

  test('of a reading of the chain, or of an order of people, is in units of the tokens to this day', () => {
    const read = {
      type: 'chainRead',
      t: 1,
      reading: {
        balances: { NTZS: 1n, USDC: 2n },
        allowances: { USDC: 3n },
        fills: [{ makerAmount: 4n, takerAmount: 5n }],
        outflows: [{ asset: 'USDC', amount: 6n }],
      },
    }
    const order = { type: 'operator', t: 1, command: { name: 'topUp', asset: 'USDC', amount: 7n, key: 'k' } }
    const sent = { type: 'withdrawn', t: 1, asset: 'USDC', amount: 8n }
    for (const event of [read, order, sent])
      expect(readEvent(encodeJson({ v: version, ...event }))).toEqual(event)
  })
})

test('an event of today is read as it is', () => {
  for (const [, , after] of EVENTS) {
    expect(readEvent(encodeJson({ v: WRITTEN_VERSION, ...after }))).toEqual(after)
    expect(upcastEvent({ v: WRITTEN_VERSION, ...after })).toEqual(after)
  }
})

test('a notice that the books do not match names the difference in book amounts', () => {
  const notice = { type: 'reconciliationChanged', t: 1, state: 'break', why: 'x' }
  const before = { v: 2, ...notice, unreconciled: { NTZS: -5n, USDC: -2n } }
  expect(readObservation(encodeJson(before))).toEqual({
    ...notice,
    unreconciled: { NTZS: -5n, USDC: -2n * UNIT },
  })
  const moved = { type: 'withdrawalMoved', t: 1, asset: 'USDC', amount: 7n, stage: 'sent' }
  expect(readObservation(encodeJson({ v: 2, ...moved }))).toEqual(moved)
})

const posted = { inAsset: 'NTZS', amountIn: 7n, computed: true, at: 1 }
const BEFORE = {
  now: 7,
  config: { inventory: { limits: { USDC: { min: 1n, max: null } } }, withdraw: { maxPerDay: { USDC: 2n } } },
  book: {
    accounts: { pool: { NTZS: 1n, USDC: -2n, USDT: 0n, 'USDT.bnb': 4n }, fees: { USDC: 5n } },
    pnl: {
      byStable: { USDC: { spreadCapture: 6n } },
      unvalued: {
        classes: { opening: { NTZS: 1n, USDC: 2n } },
        traded: { USDC: { dollars: 3n, shillings: 4n } },
      },
    },
  },
  reconciliation: {
    unreconciled: { USDC: 1n },
    candidates: [{ USDT: -1n }],
    fees: { model: 'none', fees: { USDC: 3n }, counts: { USDC: 3 } },
    rows: [
      {
        ...posted,
        outAsset: 'USDT',
        amountOut: 20n,
        fee: 2n,
        word: 1n,
        elsewhere: { id: 'a', fee: 2n * UNIT, word: UNIT, mid: 9n },
      },
      {
        ...posted,
        outAsset: 'USDT.bnb',
        amountOut: 20n * UNIT,
        fee: 2n * UNIT,
        word: UNIT,
        elsewhere: { id: 'b', fee: 2n, word: 1n, mid: null },
      },
      {
        inAsset: 'USDC',
        amountIn: 7n,
        outAsset: 'NTZS',
        amountOut: 8n,
        fee: 1n,
        word: 1n,
        computed: false,
        at: null,
      },
    ],
    polls: [{ t: 1, fresh: 1, fills: [{ ...posted, outAsset: 'USDC', amountOut: 5n, fee: 1n, word: 1n }] }],
    pending: [{ sentAt: 1, amounts: { NTZS: 1n, USDC: 2n }, where: 'pool' }],
    memory: { known: { '#a': { at: 1, amountIn: 5n, amountOut: 6n } }, ring: ['#a'], next: 0 },
  },
  prices: { suspects: [{ inAsset: 'NTZS', amountIn: 5n, outAsset: 'USDC', paid: 3n }] },
  rfq: { chain: { balances: { USDC: 3n }, allowances: { USDT: 4n } }, recentFills: [{ makerAmount: 5n }] },
  withdrawals: { sent: [{ asset: 'USDC', amount: 8n }], unknown: [{ asset: 'USDT', amount: 9n }] },
  requests: { 7: { what: 'withdraw', asset: 'USDC', amount: 3n } },
  strategy: { memory: { USDC: 1n } },
}

test('a snapshot keeps its book in book amounts, and what belongs to the tokens as it was written', () => {
  const { book, reconciliation } = BEFORE
  const [here, there, named] = reconciliation.rows
  expect(upcastBookAmounts(BEFORE)).toEqual({
    ...BEFORE,
    config: { ...BEFORE.config, inventory: { limits: { USDC: { min: UNIT, max: null } } } },
    book: {
      accounts: {
        pool: { NTZS: 1n, USDC: -2n * UNIT, USDT: 0n, 'USDT.bnb': 4n },
        fees: { USDC: 5n * UNIT },
      },
      pnl: {
        ...book.pnl,
        unvalued: { ...book.pnl.unvalued, classes: { opening: { NTZS: 1n, USDC: 2n * UNIT } } },
      },
    },
    reconciliation: {
      unreconciled: { USDC: UNIT },
      candidates: [{ USDT: -UNIT }],
      fees: { model: 'none', fees: { USDC: 3n * UNIT }, counts: { USDC: 3 } },
      rows: [
        // On the other chain the fee was counted with 18 decimals already, and the other way round.
        { ...here, amountOut: 20n * UNIT, fee: 2n * UNIT, word: UNIT },
        { ...there, elsewhere: { id: 'b', fee: 2n * UNIT, word: UNIT, mid: null } },
        { ...named, amountIn: 7n * UNIT },
      ],
      polls: [
        {
          t: 1,
          fresh: 1,
          fills: [{ ...posted, outAsset: 'USDC', amountOut: 5n * UNIT, fee: UNIT, word: UNIT }],
        },
      ],
      pending: [{ sentAt: 1, amounts: { NTZS: 1n, USDC: 2n * UNIT }, where: 'pool' }],
      memory: {
        known: { '#a': { at: 1, amountIn: 5n, amountOut: 6n, inTokens: true } },
        ring: ['#a'],
        next: 0,
      },
    },
    prices: { suspects: [{ inAsset: 'NTZS', amountIn: 5n, outAsset: 'USDC', paid: 3n * UNIT }] },
    rfq: { ...BEFORE.rfq, chain: { balances: { USDC: 3n * UNIT }, allowances: { USDT: 4n * UNIT } } },
  })
})
