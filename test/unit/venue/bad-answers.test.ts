import { describe, expect, test } from 'vitest'
import { createVenueCalls } from '../../../src/venue/endpoints.ts'
import { venueSettingsSchema } from '../../../src/venue/settings.ts'
import type { VenueCall } from '../../../src/venue/call.ts'
import { ROUTES } from '../../property/venue/any-answer.ts'
import { expectNoFalseFigure, recordedAnswers } from './answer-figures.ts'
import { failureOf, read, valueOf, type LpAnswer } from './read-answer.ts'

type Case = { readonly call: () => VenueCall<LpAnswer>; readonly body: object; readonly status: number }

const CONTRACT: readonly [string, Case][] = ROUTES.flatMap(({ call, good }) =>
  good.map((body, index): [string, Case] => [
    `${call().route} ${index + 1}`,
    { call, body: body as object, status: 200 },
  ]),
)
const MEASURED = recordedAnswers().map(({ name, call, body, status }): [string, Case] => [
  name,
  { call, body: body as object, status },
])
const CASES = [...CONTRACT, ...MEASURED]

/** PUT /custody has no documented answer: whatever comes with a 2xx states nothing. */
const isCustody = ({ call }: Case) => call().route === 'PUT /custody'

/** Each leaf of a body, as the names that lead to it. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

const MARK = 'the-mark'

/** The text of a body with `json` in place of one leaf. */
function withLeaf(body: object, [...path]: readonly string[], json: string): string {
  const copy = structuredClone(body) as Record<string, unknown>
  const last = path.pop() ?? ''
  let place = copy
  for (const name of path) place = place[name] as Record<string, unknown>
  place[last] = MARK
  return JSON.stringify(copy).replace(`"${MARK}"`, json)
}

test('every endpoint of the LP API is among the routes that receive bad answers', () => {
  const endpoints = Object.keys(
    createVenueCalls(venueSettingsSchema.parse({ baseUrl: 'http://venue.invalid' })),
  )
  const tried = ROUTES.map(({ call }) => /calls\.(\w+)/.exec(String(call))?.[1])
  expect(new Set(tried)).toEqual(new Set(endpoints))
})

describe.each(CASES)('in place of the answer %s', (_name, one) => {
  const { call, body, status } = one
  const text = JSON.stringify(body)
  const good = () => valueOf(read(call(), text, status))

  test.each([
    ['an empty body', ''],
    ['a page', '<!DOCTYPE html><html><h1>502</h1></html>'],
    ['half of the JSON', text.slice(0, Math.floor(text.length / 2))],
  ])('%s is no JSON, on its route', (what, bad) => {
    if (isCustody(one) && (what === 'an empty body' || text === '{}')) return
    const failure = failureOf(read(call(), bad, 200))
    expect(failure).toMatchObject({ kind: 'malformed', code: 'NOT_JSON', route: call().route })
  })

  test.each([
    ['null', 'null'],
    ['an empty list', '[]'],
    ['another level of nesting', `{"data":${text}}`],
  ])('%s is unreadable, or states nothing', (_what, bad) => {
    expectNoFalseFigure(good(), text, read(call(), bad, 200), call().route)
  })

  test('1e400 in any place gives no false figure', () => {
    for (const path of leavesOf(body)) {
      expectNoFalseFigure(good(), text, read(call(), withLeaf(body, path, '1e400'), status), call().route)
    }
  })

  test('NaN in any place is no JSON', () => {
    for (const path of leavesOf(body)) {
      expect(failureOf(read(call(), withLeaf(body, path, 'NaN'), status)).code).toBe('NOT_JSON')
    }
  })

  test('another level of nesting in any place gives no false figure', () => {
    for (const path of leavesOf(body)) {
      expectNoFalseFigure(
        good(),
        text,
        read(call(), withLeaf(body, path, '{"value":"7"}'), status),
        call().route,
      )
    }
  })

  test('a field that stands twice is unreadable, and named', () => {
    for (const path of leavesOf(body)) {
      const name = path.at(-1) ?? ''
      if (/^\d+$/.test(name)) continue
      const bad = withLeaf(body, path, `"1",${JSON.stringify(name)}:"2"`)
      const failure = failureOf(read(call(), bad, status))
      expect(failure).toMatchObject({ code: 'MALFORMED', route: call().route })
      expect(failure.message).toContain(`${name}: stated twice`)
    }
  })
})
