import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { openReader } from '../../../../src/store/open-reader.ts'
import { inBookAmounts } from '../../../../src/store/tables/book-amounts.ts'
import {
  appendTicks,
  durable,
  entryPosted,
  fillPosted,
  freshFolder,
  openHere,
  tableRows,
  tamper,
  valueOf,
} from '../store-fixture.ts'

type Row = Readonly<Record<string, unknown>>

/** The fills and postings of a store of version 5, which counted each token in its own units, and their book amounts. */
const FILLS = [
  {
    id: 'ask',
    legs: { inAsset: 'USDC', outAsset: 'NTZS' },
    before: { amount_in: '12345678', amount_out: '32100000000000000000001', fee: '7' },
    after: { amount_in: '12345678000000000000', amount_out: '32100000000000000000001', fee: '7' },
    shown: { amountIn: '12.345678', amountOut: '32100.000000000000000001', fee: '0.000000000000000007' },
  },
  {
    id: 'bid',
    legs: { inAsset: 'NTZS', outAsset: 'USDT' },
    before: { amount_in: '5', amount_out: '1', fee: '0' },
    after: { amount_in: '5', amount_out: '1000000000000', fee: '0' },
    shown: { amountIn: '0.000000000000000005', amountOut: '0.000001', fee: '0' },
  },
  {
    id: 'bnb',
    legs: { inAsset: 'NTZS', outAsset: 'USDT.bnb' },
    before: { amount_in: '0', amount_out: '9007199254740993', fee: '3' },
    after: { amount_in: '0', amount_out: '9007199254740993', fee: '3' },
    shown: { amountIn: '0', amountOut: '0.009007199254740993', fee: '0.000000000000000003' },
  },
] as const

const POSTINGS = [
  { asset: 'USDC', before: '12345678', after: '12345678000000000000', shown: '12.345678' },
  { asset: 'USDC', before: '-12345678', after: '-12345678000000000000', shown: '-12.345678' },
  {
    asset: 'USDT',
    before: '-9007199254740993',
    after: '-9007199254740993000000000000',
    shown: '-9007199254.740993',
  },
  { asset: 'USDT', before: '0', after: '0', shown: '0' },
  { asset: 'USDT.bnb', before: '-5', after: '-5', shown: '-0.000000000000000005' },
  { asset: 'NTZS', before: '5', after: '5', shown: '0.000000000000000005' },
] as const

/** As version 5 left it: with the amounts of that time, and without the migration after it. */
async function storeOfVersionFive(): Promise<string> {
  const folder = freshFolder()
  const store = valueOf(await openHere(folder))
  appendTicks(store, 1, 1)
  store.project(1, [...FILLS.map(({ id, legs }) => fillPosted(id, legs)), ENTRY])
  await durable(store, 1)
  await store.close()
  const fills = FILLS.map(
    ({ id, before: { amount_in, amount_out, fee } }) =>
      `UPDATE fills SET amount_in = '${amount_in}', amount_out = '${amount_out}', fee = '${fee}' WHERE venue_id = '${id}'`,
  )
  const postings = POSTINGS.map(({ before }, p) => `UPDATE postings SET amount = '${before}' WHERE p = ${p}`)
  const version = [
    "DELETE FROM kysely_migration WHERE name >= '0006-book-amounts'",
    'PRAGMA user_version = 5',
  ]
  tamper(folder, [...fills, ...postings, ...version].join(';'))
  return folder
}

const ENTRY: Observation = {
  type: 'entryPosted',
  entry: {
    ...(entryPosted(1) as Extract<Observation, { type: 'entryPosted' }>).entry,
    postings: POSTINGS.map(({ asset }) => ({ account: 'pool', asset, amount: 1n })),
  },
}

function exported(folder: string): readonly Row[][] {
  const reader = valueOf(openReader(folder))
  const rows = (['fills', 'ledger'] as const).map((what) => [...reader.rows(what)])
  reader.close()
  return rows
}

const amountsOf = (folder: string) => [
  tableRows(folder, 'fills').map(({ amount_in, amount_out, fee }) => ({ amount_in, amount_out, fee })),
  tableRows(folder, 'postings').map(({ amount }) => amount),
]

describe('a store of version 5', () => {
  test('is migrated to version 6 with the amounts of its fills and postings exact, and only once', async () => {
    const folder = await storeOfVersionFive()
    expect(tableRows(folder, 'pragma_user_version')).toEqual([{ user_version: 5 }])
    const others = [tableRows(folder, 'journal'), tableRows(folder, 'ledger_entries')]
    for (let start = 0; start < 2; start++) {
      await valueOf(await openHere(folder)).close()
      expect(tableRows(folder, 'pragma_user_version')).toEqual([{ user_version: 6 }])
      expect(amountsOf(folder)).toEqual([FILLS.map(({ after }) => after), POSTINGS.map(({ after }) => after)])
    }
    expect([tableRows(folder, 'journal'), tableRows(folder, 'ledger_entries')]).toEqual(others)
  })

  test('has for a reader, which changes nothing, the rows that it has after its migration', async () => {
    const folder = await storeOfVersionFive()
    const before = amountsOf(folder)
    const [fills, ledger] = exported(folder)
    expect(fills).toMatchObject(FILLS.map(({ id, shown }) => ({ id, ...shown })))
    expect(ledger).toMatchObject(POSTINGS.map(({ asset, shown }) => ({ asset, amount: shown })))
    expect(amountsOf(folder)).toEqual(before)
    await valueOf(await openHere(folder)).close()
    expect(exported(folder)).toEqual([fills, ledger])
  })
})

test('a row in book amounts is the row that the migration makes of it, and keeps its other fields', () => {
  for (const { legs, before, after } of FILLS) {
    const row = { seq: 1, in_asset: legs.inAsset, out_asset: legs.outAsset, raw: '{}' }
    expect(inBookAmounts({ ...row, ...before })).toEqual({ ...row, ...after })
  }
  for (const { asset, before, after } of POSTINGS)
    expect(inBookAmounts({ p: 1, asset, amount: before })).toEqual({ p: 1, asset, amount: after })
  expect(inBookAmounts({ seq: 1, bid_bps: 40 })).toEqual({ seq: 1, bid_bps: 40 })
})
