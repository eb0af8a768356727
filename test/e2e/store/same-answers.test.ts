import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Observation } from '../../../src/core/engine/model/observation.ts'
import { EXPORT_KINDS } from '../../../src/store/export/kinds.ts'
import { openHistory } from '../../../src/store/history/open-history.ts'
import type { PostedStore } from '../../../src/store/journal/posted-store.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import type { StorePlace } from '../../../src/store/place.ts'
import { readActionChain } from '../../../src/store/tables/operator-actions.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings } from '../../support/postgres.ts'
import {
  durable,
  entryPosted,
  fillPosted,
  midChanged,
  tick,
  valueOf,
} from '../../unit/store/store-fixture.ts'
import { freshPlace, open, startServer, stopServer } from '../../contract/store/both-stores.ts'

beforeAll(startServer)
afterAll(stopServer)

const T = 1_700_000_000_000
const AMOUNT = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
const time = fc.integer({ min: T, max: T + 3_600_000 })
const words = fc.string({ unit: 'grapheme', maxLength: 12 })

/** One of each kind that has a table or a reader of its own. */
const observation: fc.Arbitrary<Observation> = fc.oneof(
  fc
    .record({ id: fc.constantFrom('f-1', 'f-2', 'f-3'), amountIn: AMOUNT, earnedText: words })
    .map(({ id, ...change }) => fillPosted(id, change)),
  fc
    .record({ n: fc.nat(9), kind: fc.constantFrom('fill', 'fill-undone') })
    .map(({ n, kind }) => entryPosted(n, kind)),
  time.map((t) => midChanged(t, BigInt(t) * 10n ** 9n)),
  fc.record({ t: time, mid: AMOUNT, usdc: AMOUNT }).map(({ t, mid, usdc }) => sampleOf(t, mid, usdc)),
  fc
    .record({ t: time, to: fc.constantFrom('ACTIVE', 'HALTED'), why: words })
    .map(({ t, to, why }) => ({ type: 'tradingStateChanged', t, from: 'ACTIVE', to, reason: why }) as never),
  fc
    .record({ t: time, who: words, command: fc.constantFrom('reload', 'pause'), accepted: fc.boolean() })
    .map((action) => ({ type: 'operator', why: 'test', answer: 'done', ...action }) as never),
)

function sampleOf(t: number, mid: bigint, usdc: bigint): Observation {
  const balances = { NTZS: 10n ** 20n, USDC: usdc, USDT: 10n ** 12n, 'USDT.bnb': 10n ** 18n }
  const bps = { bidBps: 40, askBps: null, bestBidBps: 55, bestAskBps: null }
  return { type: 'sample', t, mid, fairValue: null, ...bps, balances, pnl: null }
}

async function write(store: PostedStore, events: readonly (readonly Observation[])[]): Promise<void> {
  for (const [index, observations] of events.entries()) {
    store.append(index + 1, tick(T + index))
    store.project(index + 1, observations)
    // In groups of different sizes.
    if (index % 3 === 0) await durable(store, index + 1)
  }
  await durable(store, events.length)
}

const LATEST = ['tradingStateChanged', 'reconciliationChanged'] as const

/** All that a reader of a store can be asked. */
function answers(place: StorePlace): unknown {
  const reader = valueOf(openReader(place))
  const history = valueOf(openHistory(place))
  const range = { from: T, to: T + 3_600_000, end: T + 1_000_000, stepMs: 600_000 }
  const moments = Array.from({ length: 40 }, (_, index) => T + index * 100_000)
  const counts = history.countFills(range)
  const all = {
    exports: EXPORT_KINDS.map((kind) => [...reader.rows(kind)]),
    journal: [...reader.journal(1)],
    samples: history.samplesAt(moments, 300_000).map((row) => (row === null ? null : { ...row })),
    first: history.firstSample(),
    fills: [history.fills(null, 3), history.fills({ seq: 4, n: 1 }, 100)],
    filtered: [
      history.fills(null, 100, { side: 'ask' }),
      history.fills(null, 100, { side: 'bid', asset: 'USDT' }),
    ],
    // The two databases add the doubles in orders of their own.
    sums: history.sumFills(0, T + 3_600_000).map(({ fee, volumeUsd, ...sum }) => ({
      ...sum,
      fee: fee.toPrecision(9),
      volumeUsd: volumeUsd.toPrecision(9),
    })),
    counts: counts.map(({ step, side, count }) => `${step} ${side} ${count}`).sort(),
    mids: moments.map((moment) => history.midAt(moment)),
    notices: [
      history.notices(null, [], 5),
      history.notices({ seq: 5, n: 0 }, ['operator', 'fillRepeated'], 50),
    ],
    marks: history.marks(T, T + 3_600_000, 4),
    days: moments.map((moment) => reader.lastSeqBefore(moment)),
    bodies: [[...reader.journalRows(1, 1_000)], [...reader.journalRows(3, 7)]],
    latest: LATEST.map((type) => [reader.latestNotice(type, 5), reader.latestNotice(type, 1_000)]),
    observed: LATEST.map((type) => [[...reader.notices(type, 3, 7)], [...reader.notices(type, 0, 1_000)]]),
    midsOfFills: ['f-1', 'f-2', 'f-3', 'none'].map((id) => reader.midOfFill(id)),
    chain: valueOf(readActionChain(place)),
  }
  reader.close()
  history.close()
  return all
}

test.skipIf(needs('initdb', postgresSurroundings()))(
  'both stores give the same answers, whatever was written, and after a restart',
  async () => {
    const events = fc.array(fc.array(observation, { maxLength: 6 }), { minLength: 1, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(events, async (written) => {
        const [sqlite, postgres] = [freshPlace('SQLite'), freshPlace('PostgreSQL')]
        for (const place of [sqlite, postgres]) {
          const store = valueOf(await open(place))
          await write(store, written)
          await store.close()
        }
        expect(answers(postgres)).toEqual(answers(sqlite))
      }),
      { numRuns: 6 },
    )
  },
)
