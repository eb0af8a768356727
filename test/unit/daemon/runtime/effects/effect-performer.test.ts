import { expect, test } from 'vitest'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import { createPerformer } from '../../../../../src/daemon/runtime/effects/effect-performer.ts'
import type { VenuePort } from '../../../../../src/venue/port.ts'

const WRITES: readonly Effect[] = [
  {
    type: 'setQuote',
    id: 1,
    spread: { bidBps: 50, askBps: 50, quoteBid: true, quoteAsk: true, quotePairs: null },
  },
  { type: 'activate', id: 2, isActive: true },
  { type: 'withdraw', id: 3, asset: 'USDC', amount: 1n, toAddress: '0x1' },
]

test('a dry run sends no write to the venue, whatever the core asks for', async () => {
  const sent: string[] = []
  const client = {
    perform: async (effect: Effect) => {
      sent.push(effect.type)
      return { type: 'tick', t: 0 }
    },
  } as unknown as VenuePort
  const perform = createPerformer({ client, clock: { now: () => 7 }, mode: 'dry-run', custody: null })
  const events = await Promise.all(WRITES.map(perform))
  expect(events.map(({ type }) => type)).toEqual(['quoteSet', 'requestFailed', 'requestFailed'])
  expect(sent).toEqual([])
  await perform({ type: 'readRate', id: 4 })
  expect(sent).toEqual(['readRate'])
})
