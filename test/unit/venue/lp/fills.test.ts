import { describe, expect, test } from 'vitest'
import type { TranslatedRow } from '../../../../src/core/engine/model/venue-answer.ts'
import { callsWith, failureOf, read, SHILLING_ADDRESS, valueOf } from '../read-answer.ts'

const USDC_ADDRESS = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const contractRow = {
  id: 'f1',
  fromToken: 'USDC',
  toToken: 'NTZS',
  amountIn: '100.5',
  amountOut: '260000.000000000000000001',
  feesEarned: '12.5',
  txHash: '0xout',
  createdAt: '2026-03-02T05:00:00.000Z',
}
const observedRow = {
  id: 'f2',
  fromToken: SHILLING_ADDRESS.toLowerCase(),
  toToken: USDC_ADDRESS,
  amountIn: '260000',
  amountOut: '99.123456',
  spreadEarned: '0.5',
  protocolFeeEarned: '0.099223',
  inTxHash: '0xin',
  outTxHash: '0xout',
  userAddress: '0xuser',
  source: 'swap',
  partnerId: null,
  createdAt: '2026-03-02T05:00:00.000Z',
}

function rowsOf(fills: unknown[]): readonly TranslatedRow[] {
  return valueOf(read(callsWith().fills(), { fills })).rows
}

describe('a fill row', () => {
  test("of the contract's dialect is read exactly", () => {
    expect(rowsOf([contractRow])).toEqual([
      {
        id: 'f1',
        raw: JSON.stringify(contractRow),
        tokenForm: 'symbol',
        fill: {
          id: 'f1',
          side: 'ask',
          inAsset: 'USDC',
          amountIn: 1_005n * 10n ** 17n,
          outAsset: 'NTZS',
          amountOut: 260_000n * 10n ** 18n + 1n,
          fee: null,
          earnedText: '12.5',
          txHash: '0xout',
          createdAt: Date.UTC(2026, 2, 2, 5),
          raw: JSON.stringify(contractRow),
        },
      },
    ])
  })

  test('that is refused for its amount teaches no address of the shilling', () => {
    const fills = callsWith().fills()
    const junk = { ...observedRow, id: 'junk', fromToken: `0x${'7'.repeat(40)}`, amountOut: '0' }
    const rows = valueOf(read(fills, { fills: [junk, observedRow] })).rows
    expect(rows).toMatchObject([{ quarantined: { id: 'junk' } }, { fill: { id: 'f2', inAsset: 'NTZS' } }])
  })

  test('of the observed dialect has addresses, a fee and two hashes; unknown fields stay in raw', () => {
    const [row] = rowsOf([observedRow])
    expect(row).toMatchObject({
      fill: {
        side: 'bid',
        inAsset: 'NTZS',
        outAsset: 'USDC',
        amountOut: 99_123_456n * 10n ** 12n,
        fee: 99_223n * 10n ** 12n,
        earnedText: '0.5',
        txHash: '0xout',
      },
    })
    expect(row).toMatchObject({ fill: { taker: { wallet: '0xuser', source: 'swap', partner: null } } })
  })

  test.each([
    ['USDC', undefined, 'USDC'],
    ['USDT', 'base', 'USDT'],
    ['USDT', 'bnb', 'USDT.bnb'],
  ])('of %s on the chain %s is read to 18 decimals', (fromToken, fromChain, inAsset) => {
    const [row] = rowsOf([{ ...contractRow, fromToken, fromChain, amountIn: '0.000000000000000001' }])
    expect(row).toMatchObject({ fill: { inAsset, amountIn: 1n } })
  })

  test('with 18 decimals of USDC in payout and fee is read exactly', () => {
    const paid = { amountOut: '99.123456789012345678', protocolFeeEarned: '0.000000000000000001' }
    const [row] = rowsOf([{ ...observedRow, ...paid }])
    expect(row).toMatchObject({ fill: { amountOut: 99_123_456_789_012_345_678n, fee: 1n } })
  })

  test('with an amount or a fee that is a JSON number is read from its digits, not through a double', () => {
    const { amountIn: _in, amountOut: _out, ...rest } = observedRow
    const figures = '"amountIn":260000.000000000000000001,"amountOut":1.10,"protocolFeeEarned":0.0000000001'
    const text = `{"fills":[${JSON.stringify({ ...rest, protocolFeeEarned: undefined }).slice(0, -1)},${figures}}]}`
    expect(valueOf(read(callsWith().fills(), text)).rows).toMatchObject([
      { fill: { amountIn: 260_000n * 10n ** 18n + 1n, amountOut: 11n * 10n ** 17n, fee: 10n ** 8n } },
    ])
  })

  test.each(['5.25', '5.250000000', '5.0000001', '5.000000000000000001'])(
    'of %s USDT without a chain is on the primary chain until the balances decide',
    (amountIn) => {
      const [row] = rowsOf([{ ...contractRow, fromToken: 'USDT', amountIn }])
      expect(row).toMatchObject({ fill: { inAsset: 'USDT', chainNamed: false } })
    },
  )

  test('that pays USDT without a chain is on the primary chain, with any number of digits in payout or fee', () => {
    const paid = { ...contractRow, fromToken: 'NTZS', toToken: 'USDT', amountIn: '1000', amountOut: '1.5' }
    const outAsset = 'USDT'
    expect(
      rowsOf([
        { ...paid, id: 'a', amountOut: '1.0000001' },
        { ...paid, id: 'b', protocolFeeEarned: '0.0000001' },
        { ...paid, id: 'c', protocolFeeEarned: '0.001' },
      ]),
    ).toMatchObject([
      { fill: { outAsset, amountOut: 10n ** 18n + 10n ** 11n, chainNamed: false } },
      { fill: { outAsset, fee: 10n ** 11n, chainNamed: false } },
      { fill: { outAsset, fee: 10n ** 15n, chainNamed: false } },
    ])
  })

  test('with a known address is of that token, regardless of the stated chain', () => {
    const [row] = rowsOf([{ ...contractRow, fromToken: USDC_ADDRESS, fromChain: 'bnb' }])
    expect(row).toMatchObject({ fill: { inAsset: 'USDC' } })
  })

  test.each([
    ['a chain', { fromToken: 'USDT', fromChain: 'base' }],
    ['an address', { fromToken: '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2' }],
    ['another symbol', {}],
  ])('of dollars named by %s has a chain', (_what, change) => {
    const [row] = rowsOf([{ ...contractRow, ...change }])
    expect(row).toHaveProperty('fill')
    expect(row).not.toHaveProperty('fill.chainNamed')
  })

  test.each([
    ['an unknown symbol', { fromToken: 'TGBP' }, /fromToken: "TGBP" is no token of ours/],
    ['an unknown address', { toToken: `0x${'1'.repeat(40)}` }, /toToken/],
    ['a dollar of a chain where we hold none', { fromChain: 'bnb' }, /"USDC" is no token of ours on "bnb"/],
    ['too many digits in', { amountIn: `1.${'0'.repeat(18)}1` }, /amountIn: .*more than 18 decimals/],
    ['too many digits out', { amountOut: `1.${'0'.repeat(18)}1` }, /amountOut/],
    ['nothing in', { amountIn: '0' }, /not above zero/],
    ['a negative amount', { amountOut: '-5' }, /not above zero/],
    ['an amount that is a JSON number with an exponent', { amountIn: 1e21 }, /amountIn/],
    ['an amount that is neither text nor a number', { amountIn: true }, /amountIn/],
    ['an exponent', { amountIn: '1e2' }, /amountIn/],
    ['the same token on both ends', { toToken: 'USDC' }, /no trade/],
    ['dollars for dollars', { toToken: 'USDT' }, /no trade/],
    ['no id', { id: undefined }, /id/],
    ['an empty id', { id: ' ' }, /id/],
    ['an id of 1000 characters', { id: 'x'.repeat(1_000) }, /id/],
    ['an id that is an object', { id: {} }, /id/],
    [
      'a fee with too many digits',
      { toToken: 'NTZS', protocolFeeEarned: `0.${'1'.repeat(19)}` },
      /protocolFeeEarned/,
    ],
    ['a negative fee', { protocolFeeEarned: '-1' }, /below zero/],
    ['a fee that is a JSON number with an exponent', { protocolFeeEarned: 1e-7 }, /protocolFeeEarned/],
  ])('with %s is quarantined whole, and hides no other row', (_what, change, reason) => {
    const bad = { ...contractRow, id: 'bad', ...change }
    const rows = rowsOf([bad, contractRow])
    expect(rows[0]).toMatchObject({
      quarantined: { raw: JSON.stringify(bad), reason: expect.stringMatching(reason) },
    })
    expect(rows[1]).toHaveProperty('fill')
  })

  test.each([[null], [7], ['text'], [[]]])('that is %j is quarantined, not dropped', (row) => {
    expect(rowsOf([row, contractRow])).toMatchObject([
      { quarantined: { id: null, raw: JSON.stringify(row) } },
      {},
    ])
  })

  test('with an invalid date is a fill without a date', () => {
    expect(rowsOf([{ ...contractRow, createdAt: 'soon' }])).toMatchObject([{ fill: { createdAt: null } }])
  })

  test('received as text keeps the digits of its numbers', () => {
    const text = '{"fills":[{"id":"f","amountIn":1.10,"extra":0.12345678901234567890}]}'
    const [row] = valueOf(read(callsWith().fills(), text)).rows
    expect(row?.raw).toBe('{"id":"f","amountIn":1.10,"extra":0.12345678901234567890}')
    const nested = '{"fills":[{"id":"f","more":[1.10]},7.0]}'
    expect(valueOf(read(callsWith().fills(), nested)).rows.map(({ raw }) => raw)).toEqual([
      '{"id":"f","more":[1.10]}',
      '7.0',
    ])
  })

  test('asked for __proto__ is no token', () => {
    expect(
      rowsOf([
        { ...contractRow, fromToken: '__proto__' },
        { ...contractRow, fromToken: 'constructor' },
      ]),
    ).toMatchObject([{ quarantined: {} }, { quarantined: {} }])
  })
})

describe('the fills answer', () => {
  test('that is the same body again is the same answer, as object and as text', () => {
    const calls = callsWith()
    const body = { fills: [contractRow] }
    const first = valueOf(read(calls.fills(), body))
    expect(valueOf(read(calls.fills(), body))).toBe(first)
    const fromText = valueOf(read(calls.fills(), JSON.stringify(body)))
    expect(valueOf(read(calls.fills(), JSON.stringify(body)))).toBe(fromText)
  })
  test('with one row more translates only that row', () => {
    const calls = callsWith()
    const [before] = valueOf(read(calls.fills(), JSON.stringify({ fills: [contractRow] }))).rows
    const [, after] = valueOf(read(calls.fills(), JSON.stringify({ fills: [observedRow, contractRow] }))).rows
    expect(after).toBe(before)
  })
  test.each([[{}], [{ fills: {} }], [[]], ['null'], ['']])('of %j is malformed', (body) => {
    expect(failureOf(read(callsWith().fills(), body))).toMatchObject({ kind: 'malformed', outcome: 'failed' })
  })
})
