import { describe, expect, test } from 'vitest'
import { callsWith, failureOf, NOW, read } from './read-answer.ts'

const calls = callsWith()
const SPREAD = { bidBps: 50, askBps: 50, quoteBid: true, quoteAsk: true, quotePairs: null }
const WITHDRAWAL = { asset: 'USDC', amount: 1n, toAddress: '0x0' } as const

describe('every code of the contract', () => {
  test.each([
    ['UNAUTHORIZED', 401, 'auth', false],
    ['FORBIDDEN', 403, 'auth', false],
    ['NOT_FOUND', 404, 'refused', false],
    ['INSUFFICIENT_BALANCE', 400, 'refused', false],
    ['INSUFFICIENT_LIQUIDITY', 400, 'refused', false],
    ['INVALID_AMOUNT', 400, 'refused', false],
    ['INVALID_ADDRESS', 400, 'refused', false],
    ['SPREAD_OUT_OF_RANGE', 400, 'refused', false],
    ['POSITION_INACTIVE', 400, 'refused', false],
    ['RATE_LIMIT', 429, 'rate-limit', true],
    ['pooled_capital_active', 409, 'refused', false],
    ['NOT_SELF_CUSTODY', 409, 'refused', false],
    ['BAD_ORDER', 400, 'refused', false],
    ['BAD_SIGNATURE', 400, 'refused', false],
    ['UNSUPPORTED_CHAIN', 400, 'refused', false],
    ['UNKNOWN_TOKEN', 400, 'refused', false],
    ['SAME_TOKEN', 400, 'refused', false],
    ['NOT_TZS_TOKEN_PAIR', 400, 'refused', false],
    ['WRONG_MAKER', 400, 'refused', false],
    ['WRONG_TAKER', 400, 'refused', false],
    ['WRONG_TX_ORIGIN', 400, 'refused', false],
    ['EXPIRES_TOO_SOON', 400, 'refused', false],
    ['EXPIRES_TOO_LATE', 400, 'refused', false],
    ['ORDER_NOT_FILLABLE', 409, 'refused', false],
    ['CHAIN_UNAVAILABLE', 503, 'server', true],
  ] as const)('%s (%i) is a clear no, also to a write', (code, status, kind, retriable) => {
    for (const call of [calls.account(), calls.withdraw(WITHDRAWAL)]) {
      expect(failureOf(read<unknown>(call, { code, error: 'a sentence' }, status))).toEqual({
        kind,
        code,
        status,
        route: call.route,
        message: `${call.route}: ${status} ${code}, a sentence`,
        retriable,
        outcome: 'failed',
        retryAfterMs: null,
        ...(status < 500 ? { form: 'code' } : {}),
      })
    }
  })

  test.each([
    ['a code', { code: 'FORBIDDEN', error: 'a sentence' }, 403, 'code'],
    ['a sentence alone', { error: 'This key may not use this resource' }, 403, 'sentence'],
    ['bare text', 'Missing or invalid API key', 401, 'text'],
    ['a page of anyone who stands before the venue', '<html>', 403, undefined],
    ['a status alone', '', 405, undefined],
    ['a text that is as likely of anyone who stands before the venue', 'Bad gateway', 502, undefined],
  ])('a refusal with %s is kept with its form', (_how, body, status, form) => {
    expect(failureOf(read(calls.account(), body, status)).form).toBe(form)
  })

  test('INTERNAL_ERROR leaves a write unknown and a read failed', () => {
    const body = { code: 'INTERNAL_ERROR', error: 'Unexpected server error' }
    expect(failureOf(read(calls.account(), body, 500))).toMatchObject({
      kind: 'server',
      outcome: 'failed',
      retriable: true,
    })
    expect(failureOf(read(calls.spread(SPREAD), body, 500))).toMatchObject({
      outcome: 'unknown',
      retriable: true,
    })
    expect(failureOf(read(calls.withdraw(WITHDRAWAL), body, 500))).toMatchObject({
      outcome: 'unknown',
      retriable: false,
    })
  })
})

describe('a refusal in other words', () => {
  test.each([
    ['a sentence only', { error: 'Missing or invalid API key' }, 401, 'auth', 'UNAUTHORIZED'],
    ['a code in error', { error: 'pooled_capital_active' }, 409, 'refused', 'pooled_capital_active'],
    [
      'a nested error',
      { error: { code: 'RATE_LIMIT', message: 'slow down' } },
      429,
      'rate-limit',
      'RATE_LIMIT',
    ],
    ['a code that says more than its status', { code: 'FORBIDDEN' }, 400, 'auth', 'FORBIDDEN'],
    ['a bare text', 'Missing or invalid API key', 401, 'auth', 'UNAUTHORIZED'],
    ['an HTML page', '<html><body>nope</body></html>', 403, 'auth', 'FORBIDDEN'],
    ['no body', '', 429, 'rate-limit', 'RATE_LIMIT'],
    ['no JSON', '{"a":', 400, 'refused', 'REFUSED'],
    ['null', null, 418, 'refused', 'REFUSED'],
  ] as const)('%s is understood', (_what, body, status, kind, code) => {
    expect(failureOf(read(calls.account(), body, status))).toMatchObject({
      kind,
      code,
      status,
      outcome: 'failed',
    })
  })

  test.each([
    ['an empty body', '', 405, 'GET /account: 405 REFUSED, an empty body'],
    ['a page', '<html><h1>Not\u0007 here</h1>', 404, 'GET /account: 404 NOT_FOUND, an HTML page: Not here'],
    ['bare text', 'Go away', 403, 'GET /account: 403 FORBIDDEN, Go away'],
    ['JSON without words', { detail: 7 }, 400, 'GET /account: 400 REFUSED, {"detail":7}'],
  ])('with %s quotes the status and the first words', (_what, body, status, message) => {
    expect(failureOf(read(calls.account(), body, status)).message).toBe(message)
  })

  test('that redirects names the target, which is not followed', () => {
    const { message, kind } = failureOf(
      read(calls.account(), '', 302, { location: 'https://a.example/login' }),
    )
    expect([kind, message]).toEqual([
      'malformed',
      'GET /account: 302 MALFORMED, a redirect to https://a.example/login',
    ])
  })

  test('of a 2xx that is no JSON quotes the first words of the body', () => {
    const { message } = failureOf(read(calls.account(), '<html><p>Back soon</p></html>', 200))
    expect(message).toBe("GET /account: 200, but the answer is not the contract's: an HTML page: Back soon")
  })

  test('keeps the sentence, on one line and short', () => {
    const error = `Deactivate\n\u001b[31m first ${'x'.repeat(1_000)}`
    const { message } = failureOf(read(calls.account(), { error }, 409))
    expect(message).toMatch(/^GET \/account: 409 REFUSED, Deactivate \[31m first x+\.\.\.$/)
    expect(message.length).toBeLessThan(300)
  })

  test('reports the order status of the exchange contract', () => {
    const body = { code: 'ORDER_NOT_FILLABLE', error: 'not fillable', orderStatus: 'CANCELLED' }
    expect(failureOf(read(calls.account(), body, 409)).message).toContain('CANCELLED')
  })

  test('because another activation is running can be tried again', () => {
    expect(
      failureOf(read(calls.activate(true), { error: 'Another activation is running' }, 409)),
    ).toMatchObject({
      kind: 'refused',
      outcome: 'failed',
      retriable: true,
    })
  })
})

describe('a write without a clear answer is unknown', () => {
  test.each([
    ['a gateway page', '<html></html>', 502],
    ['an unavailable gateway', '', 503],
    ['a time-out on their side', {}, 408],
    ['a redirect', '', 302],
    ['a malformed 200', '{"status": ok,,}', 200],
    ['an empty 200', '', 200],
    ['a 204', '', 204],
    ['an HTML 200', ' <!doctype html>', 200],
    ['a 200 that is an error', { error: 'no' }, 200],
    ['a 200 of null', 'null', 200],
  ])('after %s', (_what, body, status) => {
    const writes = [calls.spread(SPREAD), calls.activate(true), calls.withdraw(WITHDRAWAL)]
    expect(writes.map((call) => failureOf(read<unknown>(call, body, status)).outcome)).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ])
    expect(failureOf(read(calls.account(), body, status)).outcome).toBe('failed')
  })
  test('and only what can be repeated harmlessly is retriable', () => {
    const writes = [calls.spread(SPREAD), calls.activate(true), calls.withdraw(WITHDRAWAL)]
    expect(writes.map((call) => failureOf(read<unknown>(call, '', 502)).retriable)).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('Retry-After', () => {
  const wait = (headers: Record<string, string>) =>
    failureOf(read(calls.account(), {}, 429, headers)).retryAfterMs
  test('counts seconds', () => {
    expect(wait({ 'retry-after': '7' })).toBe(7_000)
  })
  test("as a date counts from the venue's own clock", () => {
    const at = (seconds: number) => new Date(Date.UTC(2020, 0, 1, 0, 0, seconds)).toUTCString()
    expect(wait({ 'retry-after': at(30), date: at(10) })).toBe(20_000)
    expect(wait({ 'retry-after': at(5), date: at(10) })).toBe(0)
  })
  test('as a date without the venue clock counts from ours', () => {
    expect(wait({ 'retry-after': new Date(NOW + 9_000).toUTCString() })).toBe(9_000)
  })
  test.each([['soon'], [''], ['-5'], ['NaN']])('of %j is no wait that we know', (text) => {
    expect(wait({ 'retry-after': text })).toBeNull()
  })
  test('is never longer than a day', () => {
    expect(wait({ 'retry-after': '9'.repeat(300) })).toBe(86_400_000)
  })
})

test('JSON nested beyond all reason is refused before it is read', () => {
  const text = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  expect(failureOf(read(calls.fills(), text)).message).toContain('nested too deep')
})

test('brackets in text are no nesting', () => {
  const text = JSON.stringify({ isActive: true, note: `\\"${'['.repeat(500)}` })
  expect(read(calls.account(), text).ok).toBe(true)
})
