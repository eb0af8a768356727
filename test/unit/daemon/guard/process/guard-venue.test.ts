import { describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../../../../src/base/result.ts'
import type { Link, LinkAnswer, LinkCall } from '../../../../../src/daemon/guard/link.ts'
import { createGuardVenue } from '../../../../../src/daemon/guard/process/guard-venue.ts'
import { LP_DIALECT } from '../../../../../src/venue/wire/lp-dialect.ts'
import { PREPARED } from '../guarded-position.ts'

type Reply = Result<LinkAnswer, string>

const answer = (status: number, body: unknown, headers: LinkAnswer['headers'] = {}): Reply =>
  ok({ status, headers, text: typeof body === 'string' ? body : JSON.stringify(body) })
const SAFE = JSON.parse(PREPARED.safe.body ?? '') as Record<string, unknown>

/** A client whose venue answers like this, one reply a request; the last one continues indefinitely. */
function clientWith(
  replies: readonly Reply[],
  apiKey: () => Result<string, string> = () => ok('key-1'),
  requests = PREPARED,
) {
  const sent: LinkCall[] = []
  const left = [...replies]
  const link: Link = {
    send(call) {
      sent.push(call)
      const [next = err('no answer')] = left.length > 1 ? left.splice(0, 1) : left
      return Promise.resolve(next)
    },
    close: () => undefined,
  }
  let counted = 0
  const answered: number[] = []
  const client = createGuardVenue({
    settings: { requests, writeTimeoutMs: 900, slowTimeoutMs: 60_000 },
    dialect: LP_DIALECT,
    link,
    apiKey,
    traffic: {
      onRequest: () => (counted += 1),
      onAnswer: ({ status }) => void answered.push(status),
    },
  })
  return { client, sent, answered, counted: () => counted }
}

describe('The client of a guard writes', () => {
  test('what the venue room has prepared, with the key, within the write time-out of the lease', async () => {
    const { client, sent, counted } = clientWith([
      answer(200, { ...SAFE, quotePairs: null, updatedAt: 'now' }),
    ])
    expect(await client.write('safe')).toEqual({ kind: 'done', words: 'confirmed' })
    expect(sent).toEqual([
      {
        ...PREPARED.safe,
        headers: {
          accept: 'application/json',
          authorization: 'Bearer key-1',
          'content-type': 'application/json',
        },
        timeoutMs: 900,
      },
    ])
    expect(counted()).toBe(1)
  })

  test.each([
    ['another spread', { ...SAFE, bidBps: 60 }],
    ['a side that is on', { ...SAFE, quoteAsk: false }],
    ['nothing of the quote', { ok: true }],
    ['a list', []],
    ['a page', '<html>'],
    ['null', 'null'],
  ])('and calls no write confirmed that is answered with %s', async (_, body) => {
    const { client } = clientWith([answer(200, body)])
    expect((await client.write('safe')).kind).toBe('failed')
  })

  test('a write that closes a side is confirmed by the flag of that side, or at 500 bps where no flag is stated', async () => {
    const { quoteBid: _, quoteAsk: __, ...unstated } = SAFE
    const asText = { bidBps: '500', askBps: '500.00', quoteBid: 'true', quoteAsk: 1 }
    const { client } = clientWith([
      answer(200, unstated),
      answer(200, asText),
      answer(200, unstated),
      answer(200, SAFE),
    ])
    expect((await client.write('safe')).kind).toBe('done')
    expect((await client.write('safe')).kind).toBe('done')
    expect(await client.write('bid-off')).toMatchObject({ kind: 'done', isSideOpen: true })
    expect((await client.write('bid-off')).kind).toBe('failed')
    const narrow = { ...PREPARED['bid-off'], body: JSON.stringify({ ...SAFE, bidBps: 200, quoteBid: false }) }
    const answers = [answer(200, { ...unstated, bidBps: 200 })]
    const narrowed = clientWith(answers, undefined, { ...PREPARED, 'bid-off': narrow })
    expect((await narrowed.client.write('bid-off')).kind).toBe('failed')
  })

  test.each([401, 403])('and can do nothing more with a key that is refused with %d', async (status) => {
    const { client } = clientWith([answer(status, 'who are you')])
    expect(await client.write('safe')).toEqual({
      kind: 'refused-key',
      words: `the venue refuses the key (${status})`,
    })
  })

  test.each([
    [503, { code: 'OUTAGE' }, 'the venue answers 503, OUTAGE'],
    [409, { error: 'ACTIVATION_RUNNING' }, 'the venue answers 409, ACTIVATION_RUNNING'],
    [400, { error: 'a sentence, which may hold anything' }, 'the venue answers 400'],
    [500, 'oops', 'the venue answers 500'],
  ])('and repeats of a %d the code alone', async (status, body, words) => {
    const { client } = clientWith([answer(status, body)])
    expect(await client.write('safe')).toMatchObject({ kind: 'failed', words })
  })

  test('and reports a refusal by the limit as one, with every answer to anyone who counts', async () => {
    const { client, answered } = clientWith([
      answer(429, { code: 'RATE_LIMIT' }),
      err('no answer'),
      answer(200, SAFE),
    ])
    expect(await client.write('safe')).toEqual({
      kind: 'limited',
      words: 'the venue answers 429, RATE_LIMIT',
    })
    expect(await client.write('safe')).toEqual({ kind: 'failed', words: 'no answer' })
    await client.readSide('bid')
    expect(answered).toEqual([429, 200])
  })

  test('by the method that the venue takes instead, from then on, and by no third one', async () => {
    const allow = { allow: 'GET, post' }
    const { client, sent } = clientWith([
      answer(405, '', allow),
      answer(200, SAFE),
      answer(405, '', { allow: 'PUT' }),
    ])
    expect(await client.write('safe')).toMatchObject({ kind: 'done' })
    expect(await client.write('safe')).toMatchObject({ kind: 'failed', words: 'the venue answers 405' })
    expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'POST', 'POST'])
  })

  test('and by no method that only reads', async () => {
    const { client, sent } = clientWith([answer(405, '', { allow: 'GET, HEAD' })])
    expect((await client.write('safe')).kind).toBe('failed')
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['OPTIONS names', answer(204, '', { allow: 'OPTIONS, PATCH' })],
    ['stands in for POST where nothing names one', answer(404, '')],
  ])('by the method that %s', async (_, options) => {
    const { client, sent } = clientWith([answer(405, ''), options, answer(200, { isActive: false })])
    expect(await client.deactivate()).toMatchObject({ kind: 'done' })
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'OPTIONS', 'PATCH'])
  })

  test('nothing without a key: the request does not leave', async () => {
    const { client, sent, counted } = clientWith([], () => err('the file is not there'))
    expect(await client.write('safe')).toEqual({ kind: 'failed', words: 'the file is not there' })
    expect(await client.deactivate()).toEqual({ kind: 'failed', words: expect.stringContaining('the file') })
    expect(await client.readSide('bid')).toEqual(
      err({ blocksWrites: true, words: expect.stringContaining('the file') as string }),
    )
    expect([sent.length, counted()]).toEqual([0, 0])
  })

  test('with the key as it stands at each request: one that was exchanged is used at once', async () => {
    const keys = ['old', 'new']
    const { client, sent } = clientWith([answer(200, SAFE)], () => ok(keys.shift() ?? ''))
    await client.write('safe')
    await client.write('safe')
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual(['Bearer old', 'Bearer new'])
  })
})

describe('The client of a guard deactivates', () => {
  test.each([
    ['a position that comes out', 200, { isActive: false }, 'done'],
    ['one that was out', 409, { code: 'POSITION_INACTIVE' }, 'done'],
    ['one that was out, by another dialect', 400, { error: 'POSITION_INACTIVE' }, 'done'],
    ['one of which a part stays', 207, { isActive: true, partial: true }, 'failed'],
    [
      'one of which a part stays although it is called inactive',
      200,
      { isActive: false, partial: true },
      'failed',
    ],
    ['one that is still active', 200, { isActive: true }, 'failed'],
    ['one while another activation runs', 409, { code: 'ACTIVATION_RUNNING' }, 'failed'],
    ['with a key that is refused', 401, {}, 'refused-key'],
  ])('%s: %d is %s', async (_, status, body, kind) => {
    const { client, sent } = clientWith([answer(status, body)])
    expect((await client.deactivate()).kind).toBe(kind)
    // It takes the venue a minute: the time-out of a write would break it off.
    expect(sent[0]).toMatchObject({ ...PREPARED.deactivate, timeoutMs: 60_000 })
  })
})

test('The client of a guard reads the list of returned tokens, and token, amount and reason of what the venue keeps', async () => {
  const returned = [{ symbol: 'USDT', amount: '4195.679446' }]
  const failed = [{ tokenAddress: '0x8335', symbol: 'USDC', amount: '12.5', reason: 'short' }]
  const { client } = clientWith([
    answer(200, { isActive: false, returned }),
    answer(207, { isActive: true, partial: true, returned, failed, error: 'x' }),
    answer(200, { isActive: 'false', returned: [] }),
  ])
  expect(await client.deactivate()).toMatchObject({ kind: 'done', hasReturned: true })
  expect(await client.deactivate()).toEqual({
    kind: 'failed',
    words: 'the venue keeps 12.5 USDC (short)',
    reasons: 'USDC: short',
  })
  const last = await client.deactivate()
  expect([last.kind, last.hasReturned]).toEqual(['done', undefined])
})

describe('The client of a guard reads', () => {
  test('what is quoted on a side within a second, and an invalid figure is not read', async () => {
    const { client, sent } = clientWith([
      answer(200, { spreadBps: 500 }),
      answer(200, { spreadBps: '500.0' }),
      answer(200, { spreadBps: 1.5 }),
      answer(404, { spreadBps: 500 }),
      err('no answer'),
    ])
    expect(await client.readSide('ask')).toEqual(ok(500))
    expect(await client.readSide('bid')).toEqual(ok(500))
    for (let times = 0; times < 3; times += 1) expect((await client.readSide('bid')).ok).toBe(false)
    expect(sent[0]).toMatchObject({ ...PREPARED.readAsk, timeoutMs: 1_000 })
    expect(sent[1]).toMatchObject(PREPARED.readBid)
    expect(sent[0]?.headers['content-type']).toBeUndefined()
  })

  test('whether the position is in the market, in both forms of the account', async () => {
    const { client } = clientWith([
      answer(200, { isActive: false }),
      answer(200, { account: { isActive: true } }),
      answer(200, { account: { isActive: 'false' } }),
      answer(200, { isActive: true, account: { isActive: false } }),
      answer(200, { isActive: 'yes' }),
      answer(200, {}),
      err('no answer'),
    ])
    const seen: unknown[] = []
    for (let times = 0; times < 7; times += 1) seen.push(await client.readActive())
    expect(seen).toEqual([false, true, false, null, null, null, null])
  })

  test('by no other method, whatever the venue allows', async () => {
    const { client, sent } = clientWith([answer(405, '', { allow: 'POST' })])
    expect((await client.readSide('bid')).ok).toBe(false)
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
  })

  test.each([
    ['no answer', err('no answer (ENOTFOUND)'), true],
    ['a key that is refused', answer(401, {}), true],
    ['a key that may not', answer(403, {}), true],
    ['a venue that is broken', answer(503, {}), true],
    ['a limit', answer(429, {}), false],
    ['a side that is off', answer(404, { code: 'NO_QUOTE' }), false],
    ['an answer without a spread', answer(200, {}), false],
  ])(
    'and calls itself blind only where a write would not get through either: %s',
    async (_, reply, blocksWrites) => {
      const { client } = clientWith([reply])
      expect(await client.readSide('bid')).toMatchObject({ ok: false, error: { blocksWrites } })
    },
  )
})
