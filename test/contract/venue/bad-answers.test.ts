import type { LpAnswer } from '../../unit/venue/read-answer.ts'
import { describe, expect, test } from 'vitest'
import type { VenueCall } from '../../../src/venue/call.ts'
import { createVenueClient } from '../../../src/venue/client.ts'
import { figuresOf } from '../../unit/venue/answer-figures.ts'
import { ROUTES } from '../../property/venue/any-answer.ts'
import { scriptedServer } from '../../unit/venue/scripted-server.ts'
import { KEY, opened } from './simulated-venue.ts'

const MEGABYTE = 1_048_576

/** What comes in place of a good answer, and how a route that needs fields fails. */
const BODIES: readonly [string, (good: string) => string, 'NOT_JSON' | 'MALFORMED'][] = [
  ['an empty body', () => '', 'NOT_JSON'],
  ['a page with 200', () => '<!DOCTYPE html><h1>Welcome</h1>', 'NOT_JSON'],
  ['JSON that is cut', (good) => good.slice(0, -1), 'NOT_JSON'],
  ['null', () => 'null', 'MALFORMED'],
  ['an empty list', () => '[]', 'MALFORMED'],
  ['1e400', () => '1e400', 'MALFORMED'],
  ['NaN', () => 'NaN', 'NOT_JSON'],
  ['fields that stand twice', (good) => `{"a":1,"a":2,${good.slice(1)}`, 'MALFORMED'],
  ['another level of nesting', (good) => `{"data":${good}}`, 'MALFORMED'],
  ['10 MB', (good) => `{"pad":"${'x'.repeat(10 * MEGABYTE)}",${good.slice(1)}`, 'NOT_JSON'],
]

/** Their answers are not in the contract, so that a document without the fields states nothing. */
const MAY_STATE_NOTHING = ['PUT /custody', 'GET /rfq/info', 'POST /rfq/orders', 'GET /rate']

type Route = { readonly call: VenueCall<LpAnswer>; readonly good: string }

const CALLS = ROUTES.flatMap(({ call, good }): Route[] =>
  Object.keys(good[0] as object).length === 0 ? [] : [{ call: call(), good: JSON.stringify(good[0]) }],
)

describe.each(BODIES)('over HTTP, in place of any answer of the LP API, %s', (_what, bodyFor, code) => {
  test('is a value that names its route and states no figure', async () => {
    let good = ''
    const server = await scriptedServer((response) => response.end(bodyFor(good)))
    const client = createVenueClient(
      { baseUrl: server.url, publicUrl: server.url },
      { apiKey: KEY, mayPayOut: true },
    )
    opened.push(client, server)
    for (const one of CALLS) {
      good = one.good
      const result = await client.send(one.call)
      if (result.ok) {
        expect([one.call.route, MAY_STATE_NOTHING.includes(one.call.route)]).toEqual([one.call.route, true])
        // The time of an answer is in its head.
        const { type, venueTime: _, ...figures } = Object.fromEntries(figuresOf(result.value))
        expect(figures).toEqual({})
        if (type === 'rate') expect(result.value).toHaveProperty('unreadable')
        continue
      }
      expect(result.error).toMatchObject({ kind: 'malformed', code, status: 200, route: one.call.route })
      expect(result.error.outcome).toBe(one.call.isWrite ? 'unknown' : 'failed')
      expect(result.error.message).toContain(one.call.route)
      expect(result.error.message.length).toBeLessThan(400)
    }
    expect(server.seen).toHaveLength(CALLS.length)
  })
})
