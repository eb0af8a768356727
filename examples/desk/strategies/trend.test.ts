import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neutralContext } from 'mizani'
import strategy from './trend.ts'

const params = strategy.params.parse({})
const market = neutralContext()

/** The quotes at these mids, an hour apart, in an otherwise quiet market. */
function quotesAt(...mids: number[]) {
  const state = strategy.init(params)
  return mids.map((mid, hour) =>
    strategy.quote({ ...market, mid, now: market.now + hour * 3_600_000 }, state, params, {}),
  )
}

await test('quotes the half-spread on both sides of a mid that does not move', () => {
  for (const { bidBps, askBps } of quotesAt(2_500, 2_500, 2_500)) assert.deepEqual([bidBps, askBps], [60, 60])
})

await test('sells dollars wider after the mid has risen', () => {
  const last = quotesAt(2_500, 2_510).at(-1)
  assert.ok(last && last.bidBps !== null && last.askBps !== null)
  // Half of 40 bps.
  assert.deepEqual([Math.round(last.bidBps), Math.round(last.askBps)], [80, 40])
})
