import { expect, test } from 'vitest'
import { createJournalTape } from '../../../../../src/daemon/runtime/recording/journal-tape.ts'
import { readRows } from '../../../../../src/store/tape/folder/merge-tapes.ts'
import type { TapeBatch, TapeWindow } from '../../../../../src/store/tape/model/batch.ts'
import type {
  BalancesRow,
  CompetitionRow,
  QuoteRow,
  ReferenceRow,
  TapeRow,
} from '../../../../../src/store/tape/model/row.ts'
import { fillRow, rateRow } from '../../../store/tape/tape-fixture.ts'

const probe = (t: number, askBps: number, amount = 100n * 10n ** 18n): CompetitionRow => ({
  type: 'competition',
  t,
  from: 'USDC',
  to: 'NTZS',
  amount,
  bidBps: null,
  askBps,
})
const balances = (t: number, usdc: bigint): BalancesRow => ({
  type: 'balances',
  t,
  amounts: { USDC: usdc },
  source: 'pool',
})
const quote = (t: number, bidBps: number): QuoteRow => ({
  type: 'quote',
  t,
  bidBps,
  askBps: 60,
  quoteBid: true,
  quoteAsk: true,
  quotePairs: null,
})

async function read(rows: readonly TapeRow[], window: TapeWindow = {}): Promise<TapeRow[]> {
  const tape = createJournalTape()
  for (const row of rows) tape.add([row])
  const read: TapeRow[] = []
  for await (const row of readRows(tape.source(window))) read.push(row)
  return read
}

test('of what repeats itself the first is kept, and what changed back is there again', async () => {
  const rows = [
    rateRow(1),
    rateRow(2),
    rateRow(3, { quotable: false }),
    rateRow(4),
    probe(5, 60),
    probe(6, 60),
    probe(7, 60, 1n),
    probe(8, 61),
    balances(9, 1n),
    balances(10, 1n),
    balances(11, 2n),
    quote(12, 60),
    quote(13, 60),
  ]
  expect((await read(rows)).map(({ t }) => t)).toEqual([1, 3, 4, 5, 7, 8, 9, 11, 12, 13])
})

test('a tape made of a journal has no decisions, and fills that were reported late are in their place', async () => {
  const decision = { type: 'decision', t: 2, state: 'ACTIVE', bidBps: 60, askBps: 60, because: [] } as const
  const rows = [rateRow(1), decision, rateRow(8, { quotable: false }), fillRow(3, 'late')]
  expect((await read(rows)).map(({ t, type }) => `${t} ${type}`)).toEqual(['1 rate', '3 fill', '8 rate'])
})

test('a window begins with what stood then, and has no fill of before', async () => {
  const rows = [
    rateRow(1),
    probe(2, 60),
    probe(3, 70, 1n),
    balances(4, 1n),
    quote(5, 50),
    quote(6, 60),
    fillRow(7, 'before'),
    rateRow(20, { quotable: false }),
    fillRow(25, 'within'),
    quote(30, 70),
  ]
  const seen = await read(rows, { from: 10, to: 30 })
  expect(seen.filter(({ t }) => t === 10)).toEqual([
    { ...rateRow(1), t: 10 },
    { ...probe(3, 70, 1n), t: 10 },
    { ...probe(2, 60), t: 10 },
    { ...balances(4, 1n), t: 10 },
    { ...quote(6, 60), t: 10 },
  ])
  expect(seen.filter(({ t }) => t !== 10).map(({ t, type }) => `${t} ${type}`)).toEqual([
    '20 rate',
    '25 fill',
    '29 rate',
  ])
})

test('quiet time at the end is part of it: the last rate is shown again when something was seen last', async () => {
  const rows = [rateRow(1), probe(2, 60), rateRow(50), probe(90, 60)]
  expect((await read(rows)).map(({ t, type }) => `${t} ${type}`)).toEqual([
    '1 rate',
    '2 competition',
    '90 rate',
  ])
  expect((await read(rows, { to: 40 })).at(-1)).toEqual(rateRow(39))
  // Once is enough where the last row changed something.
  expect((await read([...rows, probe(95, 61)])).map(({ t }) => t)).toEqual([1, 2, 95])
})

test('a window begins with the last reference of every source', async () => {
  const reference = (t: number, source: string, tzs: bigint): ReferenceRow => ({
    type: 'reference',
    t,
    source,
    mid: tzs * 10n ** 18n,
  })
  const rows = [reference(1, 'bank', 2_500n), reference(2, 'bank', 2_600n), reference(3, 'feed', 2_700n)]
  expect(await read([...rows, fillRow(11, 'within')], { from: 10 })).toEqual([
    reference(10, 'bank', 2_600n),
    reference(10, 'feed', 2_700n),
    fillRow(11, 'within'),
  ])
})

test('a window in which nothing was seen is empty, whatever stood before it', async () => {
  const rows = [rateRow(1), balances(2, 1n), quote(3, 60)]
  expect(await read(rows, { from: 4 })).toEqual([])
  expect(await read(rows, { to: 1 })).toEqual([])
  // Something was: the rate has not changed, and that is known.
  expect((await read([...rows, rateRow(9)], { from: 4 })).map(({ t }) => t)).toEqual([4, 4, 4, 9])
})

test('what is not there stays empty', async () => {
  expect(await read([])).toEqual([])
  const tape = createJournalTape()
  tape.add([rateRow(1), fillRow(2, 'a'), quote(3, 60)])
  expect(tape.fills().map(({ id }) => id)).toEqual(['a'])
  expect(tape.quotes().map(({ t }) => t)).toEqual([3])
  expect(tape.source().problems()).toEqual([])
})

test('a long journal is read in batches of whole moments', () => {
  const tape = createJournalTape()
  // Two mids at every moment: neither may end a batch before the other.
  tape.add(Array.from({ length: 33_001 }, (_, i) => rateRow(Math.ceil(i / 2), { mid: BigInt(1 + (i % 3)) })))
  const source = tape.source()
  const batches = [...(source.batches() as Iterable<TapeBatch>)].map(({ rates }) => rates.t)
  expect(batches.map(({ length }) => length).reduce((sum, length) => sum + length, 0)).toBe(source.rows)
  expect(batches.length).toBeGreaterThan(2)
  for (const [i, times] of batches.slice(1).entries())
    expect(times[0]).toBeGreaterThan(batches[i]?.at(-1) ?? 0)
})
