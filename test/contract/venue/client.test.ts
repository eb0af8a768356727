import { describe, expect, test } from 'vitest'
import { ASSETS, toBook, zeroAmounts } from '../../../src/base/money/asset.ts'
import type { SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { createVenueClient, type VenueClient } from '../../../src/venue/client.ts'
import type { CheckResult } from '../../../src/venue/check-result.ts'
import { diagnose } from '../../../src/venue/diagnose.ts'
import { performEffect } from '../../../src/venue/perform.ts'
import { failureOf, valueOf } from '../../unit/venue/read-answer.ts'
import { ELSEWHERE, KEY, opened, SPREAD, venue } from './simulated-venue.ts'
import { rfqOrderFor, signRfqOrder } from './signed-rfq-order.ts'

describe('against the simulated venue', () => {
  test('the account says whether the position is active', async () => {
    const { client, box } = await venue({ isActive: true })
    expect(valueOf(await client.account())).toMatchObject({
      type: 'account',
      isActive: true,
      walletAddress: box.model.options.walletAddress,
    })
  })

  test('the rate is the published mid, exactly; its age is known', async () => {
    const { client, box } = await venue({})
    const rate = valueOf(await client.rate())
    expect(rate.mid).toBe(box.model.state.mid)
    expect(rate.rateUpdatedAt).toBe(box.model.state.rateUpdatedAt)
    expect(rate.quotable).toBe(true)
    expect(Math.abs((rate.venueTime ?? 0) - box.model.state.now)).toBeLessThan(1_000)
  })

  test('balances are the pool while active and the wallet while not, to the last unit', async () => {
    const opening = { NTZS: '1.000000000000000001', USDC: '2.000003', USDT: '4', 'USDT.bnb': '0' }
    const { client } = await venue({ opening })
    const amounts = { NTZS: 10n ** 18n + 1n, USDC: 2_000_003n * 10n ** 12n, USDT: 4n * 10n ** 18n }
    const inWallet = valueOf(await client.balances())
    expect(inWallet.amounts).toMatchObject(amounts)
    valueOf(await client.activate(true))
    const inPool = valueOf(await client.balances())
    expect(inPool.amounts).toMatchObject(amounts)
    expect([inWallet.source, inPool.source]).toEqual([null, null])
  })

  test.each(['divide', 'multiply'] as const)(
    'a spread is read back on both sides, priced by %s',
    async (bidFormula) => {
      const { client } = await venue({ bidFormula })
      expect(valueOf(await client.spread(SPREAD)).spread).toEqual(SPREAD)
      const now = () => 0
      expect(await performEffect(client, { type: 'readQuote', id: 1, side: 'bid' }, now)).toMatchObject({
        type: 'quoteRead',
        side: 'bid',
        spreadBps: SPREAD.bidBps,
        protocolFeeBps: 10,
        formula: bidFormula,
      })
      expect(await performEffect(client, { type: 'readQuote', id: 2, side: 'ask' }, now)).toMatchObject({
        side: 'ask',
        spreadBps: SPREAD.askBps,
        formula: null,
      })
    },
  )

  test.each([
    ['out of range', { ...SPREAD, bidBps: 501 }, 'SPREAD_OUT_OF_RANGE'],
    ['with both sides off', { ...SPREAD, quoteBid: false, quoteAsk: false }, 'INVALID_REQUEST'],
    ['of no pair', { ...SPREAD, quotePairs: [] }, 'INVALID_REQUEST'],
  ])('a spread %s is clearly refused', async (_what, spread, code) => {
    const { client } = await venue({})
    expect(failureOf(await client.spread(spread))).toMatchObject({
      kind: 'refused',
      status: 400,
      outcome: 'failed',
      retriable: false,
      code,
    })
  })

  test('activation and deactivation are answered, and by PATCH refused', async () => {
    const { client, box } = await venue({})
    expect(valueOf(await client.activate(true))).toMatchObject({ isActive: true, partial: false })
    expect(valueOf(await client.activate(false))).toMatchObject({ isActive: false, partial: false })
    const patching = createVenueClient({ baseUrl: box.url, activateMethod: 'PATCH' }, { apiKey: KEY })
    opened.push(patching)
    const patched = await patching.activate(true)
    expect(failureOf(patched)).toMatchObject({ status: 404, outcome: 'failed' })
  })

  test('a partial deactivation names what came back and leaves the position active', async () => {
    const { client, box } = await venue({ isActive: true })
    box.model.inject({ poolShortfall: { asset: 'NTZS', amount: '1' } })
    expect(valueOf(await client.activate(false))).toMatchObject({
      type: 'activation',
      isActive: true,
      partial: true,
      returned: ['USDC', 'USDT'],
    })
  })

  test('an activation that meets another one is refused and may be tried again', async () => {
    const { client } = await venue({ faults: { busyActivation: 1 } })
    expect(failureOf(await client.activate(true))).toMatchObject({
      status: 409,
      retriable: true,
      outcome: 'failed',
    })
  })

  test("fills are the venue's own book, to the last unit, each once", async () => {
    const { client, box } = await venue({ isActive: true })
    valueOf(await client.spread(SPREAD))
    const read = () => performEffect(client, { type: 'readFills', id: 1 }, () => 0)
    swapBothWays(box, 3)
    const first = await read()
    swapBothWays(box, 2)
    const second = await read()
    if (first.type !== 'fills' || second.type !== 'fills') throw new Error('expected fills')
    const book = box.model.book().ours
    expect([...first.fills, ...second.fills].map(({ id }) => id).sort()).toEqual(
      book.fills.map(({ id }) => id).sort(),
    )
    expect(second.repeated).toBe(first.fills.length)
    const totals = zeroAmounts()
    for (const { id, inAsset, amountIn, outAsset, amountOut, fee, side } of [
      ...first.fills,
      ...second.fills,
    ]) {
      const truth = book.fills.find((fill) => fill.id === id)
      expect({ side, inAsset, outAsset }).toEqual({
        side: truth?.side,
        inAsset: truth?.from,
        outAsset: truth?.to,
      })
      expect(fee).toBe(null)
      totals[inAsset] += amountIn
      totals[outAsset] -= amountOut
    }
    for (const asset of ASSETS) {
      const before = toBook(book.opening[asset] - book.feesPaid[asset], asset)
      expect(before + totals[asset]).toBe(toBook(book.pool[asset], asset))
    }
  })

  test('a withdrawal is confirmed, or refused with nothing moved', async () => {
    const { client, box } = await venue({})
    const done = valueOf(await client.withdraw({ asset: 'USDC', amount: 1_000_001n, toAddress: ELSEWHERE }))
    expect(done).toMatchObject({ asset: 'USDC', amount: 1_000_001n, txHash: expect.stringMatching(/^0x/) })
    const { wallet, opening, transfers } = box.model.book().ours
    expect(opening.USDC - wallet.USDC).toBe(1_000_001n)
    expect(transfers).toHaveLength(1)
    for (const bad of [{ amount: 10n ** 30n }, { toAddress: '0x12' }, { amount: 0n }]) {
      const wish = { asset: 'USDC', amount: 1n, toAddress: ELSEWHERE, ...bad } as const
      expect(failureOf(await client.withdraw(wish))).toMatchObject({
        kind: 'refused',
        status: 400,
        outcome: 'failed',
      })
    }
    expect(box.model.book().ours.transfers).toHaveLength(1)
  })

  test('custody waits for the pool to be empty', async () => {
    const { client } = await venue({ isActive: true })
    expect(failureOf(await client.custody(true))).toMatchObject({
      status: 409,
      retriable: false,
    })
    valueOf(await client.activate(false))
    expect(valueOf(await client.custody(true))).toEqual({ type: 'custody', isEnabled: true })
  })

  test('a signed order is taken, and a bad one refused by its field', async () => {
    const { client, box } = await venue({})
    const info = valueOf(await client.rfqInfo())
    expect(info).toEqual({ type: 'solver', ...box.model.options.rfq })
    const order = rfqOrderFor(info.solverWallet, box.model.state.now)
    const signed = await signRfqOrder(order, info)
    expect(failureOf(await client.rfqOrder(signed))).toMatchObject({ status: 409, outcome: 'failed' })
    valueOf(await client.custody(true))
    expect(valueOf(await client.rfqOrder(signed))).toMatchObject({
      orderHash: expect.stringMatching(/^0x/),
      orderStatus: 'FILLABLE',
    })
    const late = { ...order, expiry: order.expiry + 200_000n }
    expect(failureOf(await client.rfqOrder(await signRfqOrder(late, info)))).toMatchObject({ status: 400 })
    box.model.inject({ faults: { chainUnavailable: true } })
    expect(failureOf(await client.rfqOrder(signed))).toMatchObject({ status: 503, retriable: true })
  })

  test('the public rate shows the best spread of each side without the key', async () => {
    const { client, box } = await venue({ isActive: true }, {}, 'an unknown key')
    box.model.state.ours.bidBps = 12
    box.model.state.ours.askBps = 11
    const ask = valueOf(await client.swapRate({ side: 'ask', probe: 100_000_000n }))
    expect(ask).toMatchObject({
      mid: box.model.state.mid,
      bestBps: 11,
      protocolFeeBps: 10,
      lowLiquidity: false,
    })
    const bid = valueOf(await client.swapRate({ side: 'bid', probe: 250_000n * 10n ** 18n }))
    expect(bid).toMatchObject({ side: 'bid', bestBps: 12 })
  })

  test('a wrong key is 401, a key without permission 403: both are about the key', async () => {
    const wrong = await venue({}, {}, 'mm_test_somebody_else')
    expect(failureOf(await wrong.client.account())).toMatchObject({
      kind: 'auth',
      status: 401,
      code: 'UNAUTHORIZED',
    })
    const weak = await venue({ noPermissionKeys: ['mm_test_weak_key'] }, {}, 'mm_test_weak_key')
    expect(failureOf(await weak.client.spread(SPREAD))).toMatchObject({
      kind: 'auth',
      status: 403,
      code: 'FORBIDDEN',
      outcome: 'failed',
    })
  })

  test('beyond the limit the answer carries the time to wait', async () => {
    const { client } = await venue({ requestsPerMinute: 2 })
    await client.rate()
    await client.rate()
    const failure = failureOf(await client.spread(SPREAD))
    expect(failure).toMatchObject({
      kind: 'rate-limit',
      code: 'RATE_LIMIT',
      outcome: 'failed',
      retriable: true,
    })
    expect(failure.retryAfterMs).toBeGreaterThan(0)
    expect(failure.retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  test.each([
    ['reset-before', 'network', 'unknown'],
    ['reset-after', 'network', 'unknown'],
    ['500', 'server', 'unknown'],
    ['500-after', 'server', 'unknown'],
    ['503', 'server', 'unknown'],
    ['429', 'rate-limit', 'failed'],
    ['malformed', 'malformed', 'unknown'],
    ['html', 'server', 'unknown'],
    ['truncated', 'network', 'unknown'],
  ] as const)(
    '%s is a %s failure: a read failed, a write is %s, and the next answer is good',
    async (kind, failure, outcome) => {
      const { client, box } = await venue({})
      box.model.inject({
        nextRequest: [
          { route: 'GET /rate', kind },
          { route: 'PATCH /spread', kind },
        ],
      })
      expect(failureOf(await client.rate())).toMatchObject({
        kind: failure,
        outcome: 'failed',
        route: 'GET /rate',
      })
      expect(failureOf(await client.spread(SPREAD))).toMatchObject({
        kind: failure,
        outcome,
        retriable: true,
      })
      expect((await client.rate()).ok).toBe(true)
      expect(valueOf(await client.spread(SPREAD)).spread).toEqual(SPREAD)
    },
  )

  test('the check passes a venue without a problem', async () => {
    const { client } = await venue({ isActive: true, startMs: Date.now() })
    const findings = await findingsOf(client)
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
    expect(findings.map(({ name }) => name)).toEqual([
      'venue',
      'key',
      'activation',
      'clock',
      'rate',
      'quote bid',
      'formula bid',
      'quote ask',
      'formula ask',
      'balances',
      'fills',
      'public rate',
    ])
    const rate = findings.find(({ name }) => name === 'rate')
    expect(rate).toMatchObject({ status: 'ok' })
  })
})

describe('of one kind of venue, or of a check', () => {
  test('a shilling address that no one named is the one opposite a known dollar', async () => {
    const { client, box } = await venue({ venue: 'measured', isActive: true }, { tokens: {} })
    valueOf(await client.spread(SPREAD))
    swapBothWays(box, 1)
    const fills = await performEffect(client, { type: 'readFills', id: 1 }, () => 0)
    expect(fills).toMatchObject({
      fills: [
        { side: 'ask', outAsset: 'NTZS' },
        { side: 'bid', inAsset: 'NTZS' },
      ],
      quarantined: [],
    })
  })

  test('an address that is not the shilling the settings name is quarantined, and the check says what to do', async () => {
    const named = { [`0x${'1'.repeat(40)}`]: 'NTZS' as const }
    const { client, box } = await venue({ venue: 'measured', isActive: true }, { tokens: named })
    valueOf(await client.spread(SPREAD))
    swapBothWays(box, 1)
    const fills = await performEffect(client, { type: 'readFills', id: 1 }, () => 0)
    expect(fills).toMatchObject({
      fills: [],
      quarantined: [{ reason: expect.stringMatching(/no token/) }, { reason: expect.any(String) }],
    })
    const finding = (await findingsOf(client)).find(({ name }) => name === 'fills')
    expect(finding).toMatchObject({ status: 'warn', hint: expect.stringMatching(/venue\.tokens/) })
  })

  test('the check names a wrong key and a wrong shilling symbol', async () => {
    const wrong = await venue({}, { shillingSymbol: 'NTZS' }, 'mm_test_somebody_else')
    expect(await findingsOf(wrong.client)).toMatchObject([
      { name: 'venue', status: 'ok' },
      { name: 'key', status: 'fail', detail: expect.stringMatching(/401/) },
      { name: 'public rate', status: 'fail', hint: 'set venue.shillingSymbol to TZS_TOKEN' },
    ])
  })

  test('the check of a venue that is not there fails at the first line', async () => {
    const { client, box } = await venue({})
    await box.close()
    expect(await findingsOf(client)).toMatchObject([
      { name: 'venue', status: 'fail', detail: expect.stringMatching(/ECONNREFUSED/) },
      { name: 'public rate', status: 'warn' },
    ])
  })

  test('the check sees a stale, a missing and a frozen rate', async () => {
    const { client, box } = await venue({ isActive: true })
    const rateFinding = async (maxMidAgeMs: number | null) =>
      (await findingsOf(client, maxMidAgeMs)).find(({ name }) => name === 'rate')
    expect(await rateFinding(1)).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/minutes old/),
    })
    box.model.inject({ notQuotable: { ms: 1_000 } })
    expect(await rateFinding(null)).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/not quotable/),
    })
  })
})

function swapBothWays(box: SandboxServer, times: number): void {
  for (let round = 1; round <= times; round++) {
    const sold = box.model.swap({ from: 'USDC', to: 'NTZS', amountIn: 1_234_567n * BigInt(round) })
    const bought = box.model.swap({
      from: 'NTZS',
      to: 'USDT',
      amountIn: 7_654_321n * 10n ** 12n * BigInt(1_000 * round),
    })
    if (!sold.ok || !bought.ok) throw new Error('the sandbox did not fill')
  }
}

async function findingsOf(client: VenueClient, maxMidAgeMs: number | null = null): Promise<CheckResult[]> {
  const findings: CheckResult[] = []
  for await (const finding of diagnose(client, client.settings, { now: () => Date.now(), maxMidAgeMs })) {
    findings.push(finding)
  }
  return findings
}
