import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../../src/core/engine/model/event.ts'
import { ASSETS } from '../../../src/base/money/asset.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import { openStore } from '../../../src/store/journal/open-store.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { coreConfig } from '../../support/core-config.ts'
import {
  durable,
  freshFolder,
  midChanged,
  openHere,
  tableRows,
  tick,
  valueOf,
} from '../../unit/store/store-fixture.ts'

const ms = fc.nat({ max: 4_000_000_000_000 })
const amount = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n })
const text = fc.string({ unit: anyCharacter })
const asset = fc.constantFrom(...ASSETS)
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

const fill = fc.record({
  id: text,
  side: fc.constantFrom('bid', 'ask'),
  inAsset: asset,
  amountIn: amount,
  outAsset: asset,
  amountOut: amount,
  fee: orNull(amount),
  earnedText: orNull(text),
  txHash: orNull(text),
  createdAt: orNull(ms),
  raw: text,
})

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ type: fc.constant('tick'), t: ms }),
  fc.record({
    type: fc.constant('rate'),
    t: ms,
    request: fc.nat(),
    mid: orNull(amount),
    problem: orNull(text),
    rateUpdatedAt: orNull(ms),
    quotable: orNull(fc.boolean()),
    venueTime: orNull(ms),
  }),
  fc.record({
    type: fc.constant('balances'),
    t: ms,
    request: fc.nat(),
    sentAt: ms,
    amounts: fc.record(
      { NTZS: amount, USDC: amount, USDT: amount, 'USDT.bnb': amount },
      { requiredKeys: [], noNullPrototype: true },
    ),
    source: fc.constantFrom('pool', 'wallet', null),
  }),
  fc.record({
    type: fc.constant('fills'),
    t: ms,
    request: fc.nat(),
    sentAt: ms,
    fills: fc.array(fill, { maxLength: 4 }),
    quarantined: fc.array(fc.record({ id: orNull(text), reason: text, raw: text }), { maxLength: 2 }),
    repeated: fc.nat({ max: 100 }),
    windowFull: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('operator'),
    t: ms,
    who: text,
    why: text,
    command: fc.record({ name: fc.constant('withdraw'), asset, amount, toAddress: text }),
  }),
  fc.record({
    type: fc.constant('started'),
    t: ms,
    version: text,
    config: amount.map((size) => coreConfig({ strategy: { use: 'x', params: { size }, sourceHash: 'h' } })),
  }),
)

test('every event comes back from the store equal to what was posted, bigints to the last unit', async () => {
  const folder = freshFolder()
  const store = valueOf(await openStore(folder))
  const reader = valueOf(openReader(folder))
  let last = 0
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 8 }), async (events) => {
      const from = last + 1
      for (const posted of events) store.append(++last, posted)
      await durable(store, last)
      expect([...reader.journal(from)]).toEqual(
        events.map((posted, index) => ({ seq: from + index, event: posted })),
      )
    }),
    { numRuns: 60 },
  )
  reader.close()
  await store.close()
})

type Step = 'event' | 'turn' | 'snapshot' | 'prune' | 'reopen'

test('whatever the order of writes, snapshots, prunings and restarts, the memory is the model', async () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Step>('event') },
      { weight: 3, arbitrary: fc.constant<Step>('turn') },
      { weight: 2, arbitrary: fc.constant<Step>('snapshot') },
      { weight: 1, arbitrary: fc.constant<Step>('prune') },
      { weight: 1, arbitrary: fc.constant<Step>('reopen') },
    ),
    { maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const folder = freshFolder()
      let store = valueOf(await openHere(folder))
      let last = 0
      const snapshots = new Set<number>()
      for (const step of [...sequence, 'reopen' as const]) {
        if (step === 'event') {
          last += 1
          store.append(last, tick(last))
          store.project(last, [midChanged(last)])
        } else if (step === 'turn') {
          await durable(store, last)
        } else if (step === 'snapshot') {
          if (last === 0) continue
          store.saveSnapshot({ seq: last, t: last, state: `{"at":${last}}`, digest: `${last}` })
          snapshots.add(last)
        } else if (step === 'prune') {
          await store.prune(Math.floor(last * 0.8))
        } else {
          await store.close()
          store = valueOf(await openHere(folder))
          const { snapshot, tail, lastSeq } = store.recover()
          const newest = Math.max(0, ...snapshots)
          expect([snapshot?.seq ?? 0, lastSeq]).toEqual([newest, last])
          expect([...tail].map(({ seq }) => seq)).toEqual(
            Array.from({ length: last - newest }, (_, i) => newest + 1 + i),
          )
        }
      }
      await store.close()
      expect(tableRows(folder, 'rates').map((row) => row['seq'])).toEqual(
        Array.from({ length: last }, (_, i) => i + 1),
      )
    }),
    { numRuns: 20 },
  )
})
