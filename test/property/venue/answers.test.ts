import type { LpAnswer } from '../../unit/venue/read-answer.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interpret } from '../../../src/venue/interpret.ts'
import type { VenueCall } from '../../../src/venue/call.ts'
import { checkAnswer, mutate, ROUTES, VICIOUS } from './any-answer.ts'
import { anyCharacter } from '../../support/any-character.ts'

const junk = fc.oneof(fc.constantFrom(...VICIOUS), fc.jsonValue({ maxDepth: 4 }))

/** Somewhere inside a good answer something is replaced, removed, doubled or added. */
function mutated(good: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.array(fc.nat(50), { maxLength: 4 }), fc.nat(3), junk, fc.string({ maxLength: 12 }))
    .map(([path, how, value, name]) => mutate(structuredClone(good), path, how, value, name))
}

const status = fc.constantFrom(
  200,
  200,
  200,
  207,
  204,
  302,
  400,
  401,
  403,
  404,
  408,
  409,
  418,
  429,
  500,
  502,
  503,
)
const headers = fc.dictionary(
  fc.constantFrom('date', 'retry-after', 'content-type'),
  fc.oneof(fc.string(), fc.constantFrom('3', '-1', 'Mon, 02 Mar 2026 06:00:00 GMT', '9'.repeat(400))),
)

/** As an object, and as the text it would be on the wire. */
function check(call: VenueCall<LpAnswer>, body: unknown, code: number, head: Record<string, string>): void {
  for (const form of [body, JSON.stringify(body)]) {
    const result = interpret(call, { status: code, headers: head, body: form, receivedAt: 0 })
    if (result.ok) checkAnswer(result.value)
    else {
      const { error } = result
      expect(error.route).toBe(call.route)
      expect(error.message.length).toBeLessThan(500)
      expect(error.status).toBe(code)
      if (!call.isWrite) expect(error.outcome).toBe('failed')
      if (error.retryAfterMs !== null) expect(error.retryAfterMs).toSatisfy(Number.isFinite)
    }
  }
}

describe.each(ROUTES.map((route) => [route.call().route, route] as const))(
  'the answer of %s',
  (_name, { call, good }) => {
    test('is read when it is good', () => {
      for (const body of good) {
        expect(interpret(call(), { status: 200, headers: {}, body, receivedAt: 0 }).ok).toBe(true)
      }
    })

    test('is a value for any JSON: never thrown, no amount that is no bigint, no NaN', () => {
      fc.assert(
        fc.property(junk, status, headers, (body, code, head) => check(call(), body, code, head)),
        { numRuns: 150 },
      )
    })

    test('is a value for a good answer gone wrong anywhere', () => {
      fc.assert(
        fc.property(fc.oneof(...good.map(mutated)), status, headers, (body, code, head) =>
          check(call(), body, code, head),
        ),
        { numRuns: 300 },
      )
    })

    test('is a value for any text', () => {
      const text = fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 200 }),
        fc.constantFrom(...good).chain((body) => {
          const whole = JSON.stringify(body)
          return fc.nat(whole.length).map((length) => whole.slice(0, length))
        }),
      )
      fc.assert(
        fc.property(text, status, (body, code) => {
          const result = interpret(call(), { status: code, headers: {}, body, receivedAt: 0 })
          if (result.ok) checkAnswer(result.value)
        }),
        { numRuns: 150 },
      )
    })
  },
)
