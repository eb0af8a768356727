import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS, type EndpointName } from '../../../../src/treasury/api/endpoints.ts'
import { interpretPartner } from '../../../../src/treasury/api/interpret.ts'
import { isPartnerCode, PARTNER_CODES, readCode } from '../../../../src/treasury/api/refusals.ts'
import { partnerSettingsSchema } from '../../../../src/treasury/api/settings.ts'

const SETTINGS = partnerSettingsSchema.parse({ baseUrl: 'https://pay.example' })
const NAMES = Object.keys(ENDPOINTS) as EndpointName[]

function answerTo(name: EndpointName, status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const call = ENDPOINTS[name].callOf(SETTINGS, { body: '{}' })
  return interpretPartner<unknown>(call, { status, headers, text, receivedAt: 1_000_000 })
}

describe('the table of refusals', () => {
  test('has the 79 codes of the contract: 64 rows with `no` but the one without a code, 13 backoff, 3 verify', () => {
    const count = (retry: string) => PARTNER_CODES.filter((code) => readCode(code).retry === retry).length
    expect(PARTNER_CODES).toHaveLength(79)
    expect([count('never'), count('backoff'), count('verify')]).toEqual([63, 13, 3])
    const of409 = PARTNER_CODES.filter((code) => readCode(code).statuses.includes(409))
    expect(of409).toHaveLength(9)
    expect(of409.filter((code) => readCode(code).retry === 'backoff')).toEqual(['transfer_in_flight'])
  })

  test.each(PARTNER_CODES.filter((code) => readCode(code).statuses[0] !== 202))(
    'reads %s in either field, and keeps its class on a route that moves nothing',
    (code) => {
      const { statuses, retry } = readCode(code)
      for (const status of statuses) {
        const identity = answerTo('readUser', status, { error: 'A sentence.', code })
        const usual = answerTo('readUser', status, { error: code, message: 'A sentence.', details: { a: 1 } })
        expect(identity).toMatchObject({ kind: 'refused', status, code, retry, details: null })
        expect(usual).toMatchObject({ kind: 'refused', status, code, retry, details: { a: 1 } })
      }
    },
  )
})

describe('a refusal on a route that moves money', () => {
  test.each([
    [500, 'network_error'],
    [500, 'database_error'],
    [500, 'configuration_error'],
    [502, 'ramp_unavailable'],
  ])('is unknown after %i %s, which does not state whether it was done', (status, error) => {
    const outcome = answerTo('createWithdrawal', status, { error })
    expect(outcome).toMatchObject({ kind: 'unknown', sent: 'yes', status })
  })

  test.each([
    [
      'createWithdrawal',
      502,
      { id: 'w-1', status: 'burned', payoutStatus: 'reverted', error: 'late' },
      'w-1',
    ],
    ['offramp', 400, { error: 'payout_failed', settlementId: 'r-1', id: 'other' }, 'r-1'],
    ['createTransfer', 503, { error: 'token_paused', transferId: 't-1' }, 't-1'],
    ['createWithdrawal', 200, { id: 'w-1', status: 7 }, 'w-1'],
    ['createWithdrawal', 400, { error: 'invalid_amount', id: '../users' }, undefined],
    ['createWithdrawal', 400, { error: 'invalid_amount', id: 7 }, undefined],
    ['createWithdrawal', 409, { error: 'duplicate_withdrawal', id: 'w-0' }, undefined],
    ['quoteWithdrawal', 400, { error: 'invalid_amount', id: 'q-1' }, undefined],
  ] as const)('of %s answered %i %j names the resource %s', (name, status, body, id) => {
    const outcome = answerTo(name, status, body)
    const named = id === undefined ? { kind: 'refused' } : { kind: 'unknown', sent: 'yes', id }
    expect(outcome).toMatchObject(named)
  })

  test('may be repeated after 503 with a code of the contract, which states that nothing moved', () => {
    expect(answerTo('createWithdrawal', 503, { error: 'token_paused' })).toMatchObject({ retry: 'backoff' })
  })

  test('is to be verified where it proves that the venue has seen the request before', () => {
    for (const code of ['duplicate_withdrawal', 'idempotency_key_used'])
      expect(answerTo('createWithdrawal', 409, { error: code })).toMatchObject({ code, retry: 'verify' })
  })

  test.each([
    [400, { error: 'new_rule' }, 'refused', 'never'],
    [402, { error: 'new_rule' }, 'refused', 'verify'],
    [409, { error: 'new_conflict' }, 'refused', 'verify'],
    [409, '<html>', 'refused', 'verify'],
    [403, '<html>', 'refused', 'verify'],
    [503, { error: 'new_outage' }, 'unknown', undefined],
    [503, '<html>', 'unknown', undefined],
    [500, { error: 'new_failure' }, 'unknown', undefined],
    [502, { error: 'invalid_amount' }, 'unknown', undefined],
    [504, '', 'unknown', undefined],
    [408, '', 'unknown', undefined],
    [302, '', 'unknown', undefined],
  ])('%i with %j is %s', (status, body, kind, retry) => {
    expect(answerTo('createWithdrawal', status, body)).toMatchObject({
      kind,
      ...(retry === undefined ? { sent: 'yes' } : { retry }),
    })
  })

  test('of a swap is final where it is 400 with words and no JSON, which is before any line of its stream', () => {
    const words = 'Price moved below the floor'
    expect(answerTo('swap', 400, words)).toMatchObject({ kind: 'refused', retry: 'never' })
    expect(answerTo('swap', 400, '<html>')).toMatchObject({ retry: 'verify' })
    expect(answerTo('swap', 500, words).kind).toBe('unknown')
    expect(answerTo('createTransfer', 400, words)).toMatchObject({ retry: 'verify' })
  })

  test('shows a code that the contract does not have as other(text), and a 401 as unauthorized', () => {
    expect(answerTo('createTransfer', 400, { error: 'new_rule' })).toMatchObject({
      code: 'other(new_rule)',
    })
    expect(answerTo('createTransfer', 401, { error: 'The API key is invalid.' })).toMatchObject({
      code: 'unauthorized',
      words: 'POST /transfers: 401 unauthorized, The API key is invalid.',
      retry: 'never',
    })
  })

  test('keeps the figures of a limit whose code the contract does not show', () => {
    const body = { error: 'Limit reached.', limit: 2_000_000, requested: 900_000, usedInPeriod: 1_500_000 }
    expect(answerTo('createWithdrawal', 403, body)).toMatchObject({
      details: { limit: 2_000_000, requested: 900_000, usedInPeriod: 1_500_000 },
    })
  })

  test('reports Retry-After in milliseconds', () => {
    const outcome = answerTo('createDeposit', 429, { error: 'rate_limited' }, { 'retry-after': '7' })
    expect(outcome).toMatchObject({ kind: 'refused', retry: 'backoff', retryAfterMs: 7_000 })
  })
})

describe('an answer', () => {
  test('without an id is unknown, because what the venue did cannot be identified', () => {
    expect(answerTo('createWithdrawal', 201, { status: 'burned' })).toMatchObject({
      kind: 'unknown',
      sent: 'yes',
      status: 201,
    })
  })

  test('keeps its id where another field is unreadable, and shows a new status as other(text)', () => {
    const body = { id: 'w1', status: 'parked', receiveAmountTzs: 'many', payoutStatus: 7 }
    expect(answerTo('createWithdrawal', 201, body)).toMatchObject({
      kind: 'answered',
      value: { id: 'w1', status: 'other(parked)', receiveAmountTzs: null, payoutStatus: null },
    })
  })

  test('is marked where the venue replays the outcome of an earlier request', () => {
    const outcome = answerTo(
      'createDeposit',
      201,
      { id: 'd', status: 'submitted' },
      { 'idempotent-replayed': 'true' },
    )
    expect(outcome).toMatchObject({ kind: 'answered', replayed: true })
  })

  test('of any status and any body gives an outcome on every endpoint, and never throws', () => {
    const body = fc.oneof(
      fc.string(),
      fc.json({ maxDepth: 4 }),
      fc
        .dictionary(
          fc.constantFrom(
            'id',
            'status',
            'error',
            'code',
            'amountTzs',
            'quoteId',
            'details',
            '__proto__',
            'expiresAt',
          ),
          fc.anything({ maxDepth: 2 }),
        )
        .map(
          (value) =>
            JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? 7 : inner)) ?? '',
        ),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        fc.integer({ min: 200, max: 599 }),
        body,
        (name, status, text) => {
          const outcome = answerTo(name, status, text)
          expect(['answered', 'refused', 'unknown']).toContain(outcome.kind)
          if (outcome.kind === 'refused')
            expect(isPartnerCode(outcome.code) || /^(other\(.+\)|unauthorized)$/.test(outcome.code)).toBe(
              true,
            )
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
