import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeJson } from '../../../src/base/codec.ts'
import {
  foldTreasury,
  type TreasuryFold,
} from '../../../src/daemon/runtime/treasury/following/fold-treasury.ts'
import { recoverTreasury } from '../../../src/daemon/runtime/treasury/run-treasury.ts'
import { longTreasury } from '../../support/long-treasury.ts'

const EVENTS = 400
const RECORDS = longTreasury(1, EVENTS)

test('A treasury that was followed bit by bit and continues at the take-over is the one that a start recovers at once', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: EVENTS }), { maxLength: 8 })
  fc.assert(
    fc.property(cuts, fc.integer({ min: 0, max: EVENTS }), (points, until) => {
      const ahead = foldTreasury()
      for (const point of [...points.filter((one) => one < until).sort((a, b) => a - b), until])
        ahead.add(RECORDS.slice(ahead.seq(), point))
      const journal = { recover: (from = 0) => RECORDS.slice(from) }
      expect(whatIsIn(recoverTreasury(journal, ahead))).toEqual(whatIsIn(recoverTreasury(journal)))
    }),
    { numRuns: 20 },
  )
})

function whatIsIn({ treasury, flow, webhooks, hasRun }: ReturnType<TreasuryFold['recovered']>) {
  const entry = { kind: 'fill', postings: [{ account: 'pool', asset: 'USDC', amount: 5n }] }
  const observation = { type: 'entryPosted', entry } as never
  // What the treasury knows of the position's flow is not counted again.
  flow.record(EVENTS - 20, [observation])
  flow.record(EVENTS + 20, [observation])
  return { state: encodeJson(treasury.state()), flow: flow.take(), webhooks, hasRun }
}
