import { describe, expect, onTestFinished, test } from 'vitest'
import { createVenueClient } from '../../../src/venue/client.ts'
import type { CheckResult } from '../../../src/venue/check-result.ts'
import { diagnose } from '../../../src/venue/diagnose.ts'
import { scriptedServer, sendJson } from './scripted-server.ts'

const NOW = Date.UTC(2026, 10, 22, 12)

const GOOD: Readonly<Record<string, unknown>> = {
  account: { isActive: false },
  rate: { midRateTZS: 2600, rateUpdatedAt: new Date(NOW - 60_000).toISOString(), quotable: true },
  quote: { spreadBps: 50, midRate: 2600, protocolFeeBps: 10, expectedOutput: 1 },
  balances: { ntzs: '1', usdc: '1', usdt: '1' },
  fills: { fills: [] },
}

/** The findings by name, of a venue that answers as given; undefined = 404. Without the public endpoint. */
async function check(
  answers: Readonly<Record<string, unknown>>,
  clockOffsetMs = 0,
  allow: string | null = null,
  learnedMethod: string | null = null,
  hasVirtualClock = false,
): Promise<Map<string, CheckResult>> {
  const server = await scriptedServer((response, request) => {
    response.setHeader('date', new Date(NOW).toUTCString())
    if (request.method === 'OPTIONS') {
      response.writeHead(allow === null ? 404 : 204, allow === null ? {} : { allow }).end()
      return
    }
    const name = /\/mm\/(\w+)/.exec(request.url ?? '')?.[1] ?? ''
    const body = answers[name]
    if (body === undefined) sendJson(response, { code: 'NOT_FOUND', error: 'no such thing' }, 404)
    else if (typeof body === 'number') sendJson(response, { error: 'no' }, body)
    else sendJson(response, body)
  })
  const client = createVenueClient({ baseUrl: server.url, publicUrl: null }, { apiKey: 'mm_test_diagnosis' })
  onTestFinished(() => server.close())
  onTestFinished(() => client.close())
  const found = new Map<string, CheckResult>()
  const options = { now: () => NOW + clockOffsetMs, maxMidAgeMs: 3_600_000, learnedMethod, hasVirtualClock }
  for await (const finding of diagnose(client, client.settings, options)) found.set(finding.name, finding)
  return found
}

/** The finding about the public rate of a good venue whose public endpoint answers this. */
async function checkPublic(
  swap: object,
  options: Partial<Parameters<typeof diagnose>[2]> = {},
): Promise<CheckResult | undefined> {
  const server = await scriptedServer((response, { url = '' }) => {
    const name = /\/(?:mm\/)?(\w+)/.exec(url.replace('/api/v1', ''))?.[1] ?? ''
    sendJson(response, name === 'swap' ? swap : (GOOD[name] ?? {}))
  })
  const urls = { baseUrl: server.url, publicUrl: server.url }
  const client = createVenueClient(urls, { apiKey: 'mm_test_diagnosis' })
  onTestFinished(() => server.close())
  onTestFinished(() => client.close())
  const findings = diagnose(client, client.settings, { now: () => NOW, maxMidAgeMs: null, ...options })
  let publicRate: CheckResult | undefined
  for await (const finding of findings) if (finding.name === 'public rate') publicRate = finding
  return publicRate
}

describe('the check', () => {
  test.each([
    [2_644, 'quotes use the execution mid'],
    [2_821, 'only the safe quote stays'],
  ])(
    'compares limits with the execution mid %d of the public rate, and not with GET /rate',
    async (mid, hint) => {
      const mids: bigint[] = []
      const onMid = (seen: bigint) => void mids.push(seen)
      const swap = { midRate: mid, tzsBuyRate: mid, tzsSellRate: mid }
      const found = await checkPublic(swap, { maxDeviationBps: 300, onMid })
      expect(found).toMatchObject({ status: 'warn', hint: expect.stringContaining(hint) as string })
      expect(mids).toEqual([2_600n * 10n ** 18n, BigInt(mid) * 10n ** 18n])
    },
  )

  test('the public rate that names another protocol fee than GET /quote is a warning with both', async () => {
    expect(await checkPublic({ midRate: 2_600, protocolFeeBps: 20 })).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/20 bps .* 10 bps/) as string,
    })
  })

  test('distinguishes a wrong key, a key without permission and a wrong address', async () => {
    expect((await check({ account: 401 })).get('key')?.hint).toMatch(/wrong/)
    expect((await check({ account: 403 })).get('key')?.hint).toMatch(/permissions/)
    const lost = await check({})
    expect(lost.get('account')).toMatchObject({
      status: 'fail',
      hint: expect.stringMatching(/venue\.prefix/),
    })
    expect([...lost.keys()]).toEqual(['venue', 'account', 'public rate'])
  })

  test('does not call a venue fine that answers every request with a failure', async () => {
    const found = await check({ account: 503 })
    expect(found.get('venue')).toMatchObject({
      status: 'fail',
      hint: expect.stringMatching(/reached and fails.*its last quote stays/),
    })
    expect([...found.keys()]).toEqual(['venue', 'public rate'])
  })

  test('names the endpoint that does not answer and continues', async () => {
    const found = await check({ account: GOOD['account'] })
    const failed = [...found.values()].filter(({ status }) => status === 'fail').map(({ name }) => name)
    expect(failed).toEqual(['rate', 'quote bid', 'quote ask', 'balances', 'fills'])
  })

  test('warns of clocks that differ', async () => {
    expect((await check(GOOD, 0)).get('clock')?.status).toBe('ok')
    expect((await check(GOOD, 60_000)).get('clock')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/behind us/),
    })
    expect((await check(GOOD, -60_000)).get('clock')?.detail).toMatch(/ahead of us/)
    expect((await check(GOOD, 3_660_000)).get('clock')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('the daemon refuses its mid'),
    })
  })

  test('accepts clocks that differ where the venue simulates its time', async () => {
    expect((await check(GOOD, -60_000, null, null, true)).get('clock')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/ahead of us: venue\.clock is virtual/),
    })
  })

  test.each([
    ['fresh', {}, 'ok', /1 minutes old/],
    ['stale', { rateUpdatedAt: '2020-01-01T00:00:00Z' }, 'warn', /minutes old/],
    ['undated', { rateUpdatedAt: undefined }, 'warn', /unknown age/],
    ['not quotable', { quotable: false }, 'warn', /not quotable/],
    ['zero', { midRateTZS: 0 }, 'fail', /midRateTZS/],
  ])('says that a rate is %s', async (_what, change, status, detail) => {
    const found = await check({ ...GOOD, rate: { ...(GOOD['rate'] as object), ...change } })
    expect(found.get('rate')).toMatchObject({ status, detail: expect.stringMatching(detail) })
  })

  test('reports which formula gives the quoted output, or that none does', async () => {
    const bid = (250_000 / 2600) * (1 - 0.005) * 0.999
    const quote = (change: object) => check({ ...GOOD, quote: { ...(GOOD['quote'] as object), ...change } })
    expect((await quote({ expectedOutput: bid })).get('formula bid')?.detail).toMatch(/^multiply/)
    expect((await quote({})).get('formula bid')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/no known formula/),
    })
    expect((await quote({ midRate: null })).get('formula ask')?.detail).toMatch(/no mid/)
    const same = await quote({ spreadBps: 0, expectedOutput: (250_000 / 2600) * 0.999 })
    expect(same.get('formula bid')?.detail).toMatch(/both formulas/)
    const feeAbsent = await quote({ protocolFeeBps: undefined, expectedOutput: bid })
    expect(feeAbsent.get('quote bid')?.detail).toMatch(/no stated/)
  })

  test.each([
    ['nothing', null, null, 'ok', /^POST \/activate; OPTIONS names no method/],
    ['nothing, and an answer has shown it', null, 'PATCH', 'ok', /^PATCH \/activate, as an earlier answer/],
    ['another write', 'OPTIONS, PATCH', null, 'ok', /^PATCH \/activate/],
    ['no write', 'OPTIONS, GET', null, 'fail', /OPTIONS names OPTIONS, GET/],
  ])(
    'names the method of activation where OPTIONS names %s',
    async (_what, allow, learned, status, detail) => {
      const found = await check(GOOD, 0, allow, learned)
      expect(found.get('activation')).toMatchObject({ status, detail: expect.stringMatching(detail) })
    },
  )

  test('fails where there is nothing to trade with, and shows a token that is not stated', async () => {
    const empty = await check({ ...GOOD, balances: { ntzs: '0', usdc: '0.0' } })
    expect(empty.get('balances')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/USDT not stated.*USDT\.bnb not stated, so not counted/),
    })
    expect((await check(GOOD)).get('balances')?.status).toBe('ok')
  })

  test.each([
    ['rejected', true, 'fail'],
    ['rejected', false, 'fail'],
    ['pending_review', true, 'warn'],
    ['pending_review', false, 'fail'],
    ['approved', false, undefined],
  ])('of an account whose kycStatus is %s and isActive %s: %s', async (kycStatus, isActive, status) => {
    expect((await check({ ...GOOD, account: { isActive, kycStatus } })).get('kyc')?.status).toBe(status)
  })

  test('fails where the account does not state isActive, and continues with the other lines', async () => {
    const found = await check({ ...GOOD, account: { walletAddress: '0x1' } })
    expect(found.get('isActive')).toMatchObject({ status: 'fail', detail: expect.stringMatching(/isActive/) })
    expect([found.get('balances')?.status, found.get('fills')?.status]).toEqual(['ok', 'ok'])
  })

  test('takes the price before the fee for the formula where the quote names no output', async () => {
    const quote = { spreadBps: 50, midRate: 2600, minAmountOut: '1', effectiveRate: '2613.000000' }
    const found = await check({ ...GOOD, quote })
    expect(found.get('formula bid')?.detail).toMatch(/^divide/)
    expect(found.get('formula ask')?.status).toBe('warn')
  })

  test('reports that the public endpoint is off', async () => {
    expect((await check(GOOD)).get('public rate')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/off/),
    })
  })
})
