import { describe, expect, test } from 'vitest'
import { ELSEWHERE, SPREAD, venue } from '../../contract/venue/simulated-venue.ts'
import { failureOf, valueOf } from '../../unit/venue/read-answer.ts'

describe('a venue that does not answer', () => {
  test.each([0, 1])(
    'a withdrawal without an answer is unknown (the money moved: %i), and is sent once',
    async (applied) => {
      const { client, box } = await venue({}, { slowTimeoutMs: 1_500 })
      box.model.inject({ faults: { ambiguousWithdraw: { chance: 1, applied } } })
      const wish = { asset: 'USDC', amount: 5n, toAddress: ELSEWHERE } as const
      expect(failureOf(await client.withdraw(wish))).toMatchObject({
        kind: 'timeout',
        outcome: 'unknown',
        retriable: false,
      })
      expect(box.model.book().ours.transfers).toHaveLength(applied)
    },
  )

  test.each(['timeout-before', 'timeout-after'] as const)(
    '%s is a timeout failure: a read failed, a write is unknown, and the next answer is good',
    async (kind) => {
      const { client, box } = await venue({}, { requestTimeoutMs: 1_500 })
      box.model.inject({
        nextRequest: [
          { route: 'GET /rate', kind },
          { route: 'PATCH /spread', kind },
        ],
      })
      expect(failureOf(await client.rate())).toMatchObject({
        kind: 'timeout',
        outcome: 'failed',
        route: 'GET /rate',
      })
      expect(failureOf(await client.spread(SPREAD))).toMatchObject({
        kind: 'timeout',
        outcome: 'unknown',
        retriable: true,
      })
      expect((await client.rate()).ok).toBe(true)
      expect(valueOf(await client.spread(SPREAD)).spread).toEqual(SPREAD)
    },
  )
})
