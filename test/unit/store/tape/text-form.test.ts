import { expect, test } from 'vitest'
import { compareRows, encodeRow } from '../../../../src/store/tape/model/encode-row.ts'
import { decodeRow } from '../../../../src/store/tape/model/decode-row.ts'
import { parseTime } from '../../../../src/store/tape/model/row-fields.ts'
import { fillRow, rateRow, START } from './tape-fixture.ts'

// The examples of the specification, as they are written there and in canonical form.
test.each([
  [
    '{"t":"2026-11-02T07:00:00.000Z","type":"rate","midRateTZS":"2568.1584","rateUpdatedAt":"2026-11-02T06:55:00.000Z","quotable":true}',
    null,
  ],
  [
    '{"t":"2026-11-02T07:00:00.000Z","type":"quote","bidBps":60,"askBps":60,"quoteBid":true,"quoteAsk":true}',
    null,
  ],
  [
    '{"t":"2026-11-02T07:00:00.000Z","type":"fill","id":"f1","fromToken":"USDC","toToken":"NTZS","amountIn":"250.000000","amountOut":"638187.36","feesEarned":"3852.24","txHash":"0x.."}',
    '{"t":"2026-11-02T07:00:00.000Z","type":"fill","id":"f1","fromToken":"USDC","toToken":"NTZS","amountIn":"250","amountOut":"638187.36","feesEarned":"3852.24","txHash":"0x.."}',
  ],
  [
    '{"t":"2026-11-02T07:00:00.000Z","type":"fill","id":"f1","fromToken":"USDC","toToken":"NTZS","amountIn":"250","amountOut":"638187.36","takerWallet":"0xab","takerSource":"waas"}',
    null,
  ],
  ['{"t":"2026-11-02T07:00:00.000Z","type":"balances","ntzs":"130000000","usdc":"50000","usdt":"0"}', null],
  [
    '{"t":"2026-11-02T07:00:00.000Z","type":"competition","from":"USDC","to":"NTZS","amount":"100","bidBps":55,"askBps":58}',
    null,
  ],
  [
    '{"t":"2026-11-02T07:00:00.000Z","type":"competition","from":"USDC","to":"NTZS","amount":"100","askBps":58,"own":false}',
    null,
  ],
  ['{"t":"2026-11-02T07:00:00.000Z","type":"reference","source":"bank-board","midTZS":"2590.1"}', null],
  [
    '{"type":"rate","midRateTZS":2568.1584,"t":"2026-11-02T10:00:00+03:00","quotable":null}',
    '{"t":"2026-11-02T07:00:00.000Z","type":"rate","midRateTZS":"2568.1584"}',
  ],
])('a line is read and written again canonically: %s', (line, canonical) => {
  const row = decodeRow(line)
  if (!row.ok) throw new Error(row.error)
  expect(encodeRow(row.value)).toBe(canonical ?? line)
})

test.each(['"yes"', '1', '"false"', '{}'])('whose quote a probe shows is a flag: %s is none', (own) => {
  const line = `{"t":"2026-11-02T07:00:00.000Z","type":"competition","from":"USDC","to":"NTZS","amount":"1","own":${own}}`
  expect(decodeRow(line)).toEqual({ ok: false, error: `own is ${own}, not true or false` })
})

test('amounts are exact in base units of their asset', () => {
  const fill = fillRow(START, 'x', { from: 'USDT.bnb', amountIn: 1n, amountOut: 2n ** 256n - 1n })
  expect(encodeRow(fill)).toContain('"fromToken":"USDT.bnb"')
  expect(encodeRow(fill)).toContain('"amountIn":"0.000000000000000001"')
  expect(decodeRow(encodeRow(fill))).toEqual({ ok: true, value: fill })
})

test.each([
  ['2026-11-02T07:00:00.000Z', START],
  ['2026-11-02T07:00Z', START],
  ['2026-11-02T10:00:00+03:00', START],
  ['2026-11-02T01:30:00.5-05:30', START + 500],
  ['2026-11-02T07:00:00.0019999Z', START + 1],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['2026-02-29T00:00:00Z', null],
  ['2026-11-02T24:00:00Z', null],
  ['2026-11-02T07:60:00Z', null],
  ['2026-13-02T07:00:00Z', null],
  ['2026-11-02T07:00:00+24:00', null],
  ['2026-11-02T07:00:00', null],
  ['2026-11-02', null],
  ['2 Nov 2026', null],
])('a time is a date, a time of day and a zone: %s', (text, t) => {
  expect(parseTime(text)).toBe(t)
})

test('rows of one time are ordered by kind, then by their text', () => {
  const rows = [
    rateRow(START),
    rateRow(START, { quotable: null }),
    { type: 'reference', t: START, source: 'bank', mid: 10n ** 21n },
    {
      type: 'competition',
      t: START,
      from: 'USDC',
      to: 'NTZS',
      amount: 100n * 10n ** 18n,
      bidBps: null,
      askBps: null,
    },
    {
      type: 'competition',
      t: START,
      from: 'USDT',
      to: 'NTZS',
      amount: 100n * 10n ** 18n,
      bidBps: null,
      askBps: null,
    },
    { type: 'balances', t: START, amounts: {}, source: null },
    { type: 'quote', t: START, bidBps: 1, askBps: 1, quoteBid: true, quoteAsk: true, quotePairs: null },
    fillRow(START, 'a'),
    fillRow(START, 'a"'),
    fillRow(START, 'b'),
    { type: 'decision', t: START, state: 'ACTIVE', bidBps: null, askBps: null, because: [] },
    rateRow(START + 1),
  ] as const
  expect(rows.toReversed().toSorted(compareRows)).toEqual(rows)
})
