import { describe, expect, onTestFinished, test } from 'vitest'
import { type Asset, ASSETS, toBook, type TokenAmount, zeroAmounts } from '../../../src/base/money/asset.ts'
import type { Rate } from '../../../src/base/money/rate.ts'
import type { Ms } from '../../../src/base/time.ts'
import type { VenueEffect } from '../../../src/core/engine/model/effect.ts'
import type { Event } from '../../../src/core/engine/model/event.ts'
import type { SignedRfqOrder } from '../../../src/core/engine/model/venue-answer.ts'
import { createGuardVenue } from '../../../src/daemon/guard/process/guard-venue.ts'
import { openLink } from '../../../src/daemon/guard/link.ts'
import { ok } from '../../../src/base/result.ts'
import type { VenuePort } from '../../../src/venue/port.ts'
import type { GuardDialect, GuardRequests } from '../../../src/venue/wire/guard.ts'
import { failureOf, valueOf } from '../../unit/venue/read-answer.ts'
import { rfqOrderFor, signRfqOrder } from './signed-rfq-order.ts'

type Holdings = Readonly<Record<Asset, TokenAmount>>

/** A fill as the venue booked it. */
type BookedFill = {
  readonly id: string
  readonly side: 'bid' | 'ask'
  readonly from: Asset
  readonly to: Asset
}

/** What the venue itself knows, to compare answers with. */
type Truth = {
  readonly now: Ms
  readonly mid: Rate
  readonly rateUpdatedAt: Ms | null
  readonly walletAddress: string
  readonly solver: {
    readonly solverWallet: string
    readonly chainId: number
    readonly exchange: string
  }
  readonly book: {
    readonly fills: readonly BookedFill[]
    readonly opening: Holdings
    readonly feesPaid: Holdings
    readonly pool: Holdings
    readonly wallet: Holdings
    readonly transfers: readonly unknown[]
  }
}

/** How an answer is lost or damaged between the venue and us. */
type Damage =
  | 'reset-before'
  | 'reset-after'
  | '500'
  | '500-after'
  | '503'
  | '429'
  | 'malformed'
  | 'html'
  | 'truncated'

const SAFE_BPS = 400

export type GuardParts = {
  readonly url: string
  readonly apiKey: string
  /** `safeBps`: the spread of the safe quote on both sides. */
  readonly requestsFor: (safeBps: number) => GuardRequests
  readonly dialect: GuardDialect
}

/** A venue with test controls, of which one position with tokens and an accepted key is ours. */
export type VenueUnderTest = {
  readonly port: VenuePort
  /** What a guard of the venue needs. */
  readonly guard: GuardParts
  /** How its failures name the read of the rate. */
  readonly rateRoute: string
  readonly truth: () => Truth
  /** Takers sell dollars to us and buy dollars from us, once each a round. */
  readonly trade: (rounds: number) => void
  /** Damages the answer to the next read of the rate and to the next write of the spread. */
  readonly damageNext: (kind: Damage) => void
  /** The next deactivation returns this much less of a token. */
  readonly keepBack: (asset: Asset, amount: string) => void
  /** The venue cannot reach its chain from now on. */
  readonly loseChain: () => void
}

/** What a test needs of the venue before it starts. */
export type VenueWish = {
  readonly isActive?: boolean
  readonly opening?: Readonly<Partial<Record<Asset, string>>>
  readonly requestsPerMinute?: number
  /** The venue's clock. */
  readonly startMs?: Ms
  /** The next activation meets another one. */
  readonly isBusy?: boolean
  /** False = the client is opened with withdrawals off. */
  readonly mayWithdraw?: boolean
  /** `unknown`: the venue does not have our key; `read-only`: it may not write. Absent = it may do everything. */
  readonly key?: 'unknown' | 'read-only'
}

export type MakeVenue = (wish?: VenueWish) => Promise<VenueUnderTest>

/** A request without its number. */
type Wanted<Effect = VenueEffect> = Effect extends unknown ? Omit<Effect, 'id'> : never

const ELSEWHERE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SPREAD = { bidBps: 12, askBps: 11, quoteBid: true, quoteAsk: true, quotePairs: null }

/** The contract of `VenuePort` and, if the venue takes signed orders, of `CustodyPort`. `makeVenue` returns a venue whose clock does not advance. */
export function describeVenue(name: string, makeVenue: MakeVenue, takesOrders = true): void {
  describe(`the port of ${name}`, () => {
    describeReads(makeVenue)
    describeWrites(makeVenue)
    const describeOrders = takesOrders ? describeCustody : describeNoCustody
    describeOrders(makeVenue)
    describeFailures(makeVenue)
    describeGuard(makeVenue)
  })
}

function describeReads(makeVenue: MakeVenue): void {
  test('the account states whether the position is active', async () => {
    const { port, truth } = await makeVenue({ isActive: true })
    expect(await ask(port, { type: 'readAccount' })).toMatchObject({
      type: 'account',
      isActive: true,
      walletAddress: truth().walletAddress,
    })
  })

  test('the rate is the published mid, exactly, with the time of its update', async () => {
    const { port, truth } = await makeVenue()
    const rate = await ask(port, { type: 'readRate' })
    const { mid, rateUpdatedAt, now } = truth()
    expect(rate).toMatchObject({ type: 'rate', mid, rateUpdatedAt, quotable: true })
    expect(Math.abs((rate.type === 'rate' ? (rate.venueTime ?? 0) : 0) - now)).toBeLessThan(1_000)
  })

  test('balances are the pool while active and the wallet while inactive, to the last unit', async () => {
    const opening = { NTZS: '1.000000000000000001', USDC: '2.000003', USDT: '4', 'USDT.bnb': '0' }
    const { port } = await makeVenue({ opening })
    const amounts = { NTZS: 10n ** 18n + 1n, USDC: 2_000_003n * 10n ** 12n, USDT: 4n * 10n ** 18n }
    const inWallet = await ask(port, { type: 'readBalances' })
    await ask(port, { type: 'activate', isActive: true })
    const inPool = await ask(port, { type: 'readBalances' })
    for (const balances of [inWallet, inPool])
      expect(balances).toMatchObject({ type: 'balances', amounts, source: null })
  })

  test("fills are the venue's own book, to the last unit, each once", async () => {
    const { port, trade, truth } = await makeVenue({ isActive: true })
    await ask(port, { type: 'setQuote', spread: SPREAD })
    const readFills = async () => {
      const event = await ask(port, { type: 'readFills' })
      if (event.type !== 'fills') throw new Error(`expected fills, got ${event.type}`)
      return event
    }
    trade(3)
    const first = await readFills()
    trade(2)
    const second = await readFills()
    const all = [...first.fills, ...second.fills]
    const { book } = truth()
    expect(all.map(({ id }) => id).sort()).toEqual(book.fills.map(({ id }) => id).sort())
    expect(second.repeated).toBe(first.fills.length)
    const totals = zeroAmounts()
    for (const { id, inAsset, amountIn, outAsset, amountOut, side } of all) {
      const booked = book.fills.find((fill) => fill.id === id)
      expect({ side, inAsset, outAsset }).toEqual({
        side: booked?.side,
        inAsset: booked?.from,
        outAsset: booked?.to,
      })
      totals[inAsset] += amountIn
      totals[outAsset] -= amountOut
    }
    for (const asset of ASSETS) {
      const before = toBook(book.opening[asset] - book.feesPaid[asset], asset)
      expect(before + totals[asset]).toBe(toBook(book.pool[asset], asset))
    }
  })
}

function describeWrites(makeVenue: MakeVenue): void {
  test('a spread is confirmed and read back on both sides', async () => {
    const { port } = await makeVenue()
    expect(await ask(port, { type: 'setQuote', spread: SPREAD })).toMatchObject({
      type: 'quoteSet',
      spread: SPREAD,
    })
    for (const side of ['bid', 'ask'] as const)
      expect(await ask(port, { type: 'readQuote', side })).toMatchObject({
        type: 'quoteRead',
        side,
        spreadBps: SPREAD[`${side}Bps`],
        protocolFeeBps: 10,
      })
  })

  test('the spread that is written outside of the journal is confirmed too', async () => {
    const { port } = await makeVenue()
    expect(valueOf(await port.spread(SPREAD)).spread).toEqual(SPREAD)
  })

  test.each([
    ['out of range', { bidBps: 501 }, 'SPREAD_OUT_OF_RANGE'],
    ['with both sides off', { quoteBid: false, quoteAsk: false }, 'INVALID_REQUEST'],
    ['of no pair', { quotePairs: [] }, 'INVALID_REQUEST'],
  ])('a spread %s is clearly refused', async (_what, change, code) => {
    const { port } = await makeVenue()
    expect(await failureTo(port, { type: 'setQuote', spread: { ...SPREAD, ...change } })).toMatchObject({
      kind: 'refused',
      status: 400,
      outcome: 'failed',
      retriable: false,
      code,
    })
  })

  test.each([true, false])('an activation to %s is answered with the new state', async (isActive) => {
    const { port } = await makeVenue({ isActive: !isActive })
    expect(await ask(port, { type: 'activate', isActive })).toMatchObject({
      type: 'activation',
      isActive,
      partial: false,
    })
  })

  test('a partial deactivation names what came back and leaves the position active', async () => {
    const { port, keepBack } = await makeVenue({ isActive: true })
    keepBack('NTZS', '1')
    expect(await ask(port, { type: 'activate', isActive: false })).toMatchObject({
      type: 'activation',
      isActive: true,
      partial: true,
      returned: ['USDC', 'USDT'],
    })
  })

  test('an activation that meets another one is refused and may be tried again', async () => {
    const { port } = await makeVenue({ isBusy: true })
    const refusal = { status: 409, retriable: true, outcome: 'failed' }
    expect(await failureTo(port, { type: 'activate', isActive: true })).toMatchObject(refusal)
  })

  test('a withdrawal is confirmed, or refused with nothing moved', async () => {
    const { port, truth } = await makeVenue()
    const wanted = { type: 'withdraw', asset: 'USDC', amount: 1_000_001n, toAddress: ELSEWHERE } as const
    expect(await ask(port, wanted)).toMatchObject({
      type: 'withdrawn',
      asset: 'USDC',
      amount: 1_000_001n,
      txHash: expect.stringMatching(/^0x/),
    })
    const { wallet, opening } = truth().book
    expect(opening.USDC - wallet.USDC).toBe(1_000_001n)
    for (const bad of [{ amount: 10n ** 30n }, { toAddress: '0x12' }, { amount: 0n }])
      expect(await failureTo(port, { ...wanted, amount: 1n, ...bad })).toMatchObject({
        kind: 'refused',
        status: 400,
        outcome: 'failed',
      })
    expect(truth().book.transfers).toHaveLength(1)
  })

  test('a withdrawal is refused before it is sent while withdrawals are off, and other writes are sent', async () => {
    const { port, truth } = await makeVenue({ mayWithdraw: false })
    const wanted = { type: 'withdraw', asset: 'USDC', amount: 1n, toAddress: ELSEWHERE } as const
    const refused = { code: 'ROUTE_OFF', status: null, outcome: 'failed' }
    expect(await failureTo(port, wanted)).toMatchObject(refused)
    expect(truth().book.transfers).toEqual([])
    expect(await ask(port, { type: 'setQuote', spread: SPREAD })).toMatchObject({ type: 'quoteSet' })
    for (const isActive of [true, false])
      expect(await ask(port, { type: 'activate', isActive })).toMatchObject({ type: 'activation', isActive })
  })
}

function describeNoCustody(makeVenue: MakeVenue): void {
  test('signed orders are missing', async () => {
    const { port } = await makeVenue()
    expect(port.selfCustody).toBeNull()
  })

  test.each<Wanted>([{ type: 'readSolver' }, { type: 'readBestQuote', side: 'bid', probe: 1n }])(
    'a $type that the venue lacks is a failure, and nothing is sent',
    async (wanted) => {
      const { port } = await makeVenue()
      const lacking = { code: 'NOT_FOUND', status: null, outcome: 'failed', retriable: false }
      expect(await failureTo(port, wanted)).toMatchObject(lacking)
    },
  )
}

function describeCustody(makeVenue: MakeVenue): void {
  test('custody waits for the pool to be empty', async () => {
    const { port } = await makeVenue({ isActive: true })
    const { custody } = custodyOf(port)
    expect(failureOf(await custody(true))).toMatchObject({ status: 409, retriable: false })
    await ask(port, { type: 'activate', isActive: false })
    expect(valueOf(await custody(true))).toEqual({ type: 'custody', isEnabled: true })
  })

  test('a signed order is accepted in self-custody, and an invalid one refused', async () => {
    const { port, truth, loseChain } = await makeVenue()
    const { solver, now } = truth()
    const { custody, rfqOrder } = custodyOf(port)
    expect(await ask(port, { type: 'readSolver' })).toMatchObject({ type: 'solver', ...solver })
    const order = rfqOrderFor(solver.solverWallet, now)
    const refusalOf = async (signed: SignedRfqOrder) => failureOf(await rfqOrder(signed))
    const signed = await signRfqOrder(order, solver)
    expect(await refusalOf(signed)).toMatchObject({ status: 409, outcome: 'failed' })
    valueOf(await custody(true))
    expect(valueOf(await rfqOrder(signed))).toMatchObject({
      orderHash: expect.stringMatching(/^0x/),
      orderStatus: 'FILLABLE',
    })
    const late = { ...order, expiry: order.expiry + 200_000n }
    expect(await refusalOf(await signRfqOrder(late, solver))).toMatchObject({ status: 400 })
    loseChain()
    expect(await refusalOf(signed)).toMatchObject({ status: 503, retriable: true })
  })
}

function describeFailures(makeVenue: MakeVenue): void {
  test('an unknown key and a key without the permission are both failures of the key', async () => {
    const unknown = await makeVenue({ key: 'unknown' })
    const refused = { kind: 'auth', status: 401, code: 'UNAUTHORIZED' }
    expect(await failureTo(unknown.port, { type: 'readAccount' })).toMatchObject(refused)
    expect(failureOf(await unknown.port.account())).toMatchObject(refused)
    const { port } = await makeVenue({ key: 'read-only' })
    expect(await failureTo(port, { type: 'setQuote', spread: SPREAD })).toMatchObject({
      kind: 'auth',
      status: 403,
      code: 'FORBIDDEN',
      outcome: 'failed',
    })
  })

  test('beyond the limit the answer carries the time to wait', async () => {
    const { port } = await makeVenue({ requestsPerMinute: 2 })
    await ask(port, { type: 'readRate' })
    await ask(port, { type: 'readRate' })
    const failure = await failureTo(port, { type: 'setQuote', spread: SPREAD })
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
    async (damage, kind, outcome) => {
      const { port, damageNext, rateRoute } = await makeVenue()
      damageNext(damage)
      expect(await failureTo(port, { type: 'readRate' })).toMatchObject({
        kind,
        outcome: 'failed',
        route: rateRoute,
      })
      const write = { type: 'setQuote', spread: SPREAD } as const
      expect(await failureTo(port, write)).toMatchObject({ kind, outcome, retriable: true })
      expect(await ask(port, { type: 'readRate' })).toMatchObject({ type: 'rate' })
      expect(await ask(port, write)).toMatchObject({ type: 'quoteSet', spread: SPREAD })
    },
  )
}

function describeGuard(makeVenue: MakeVenue): void {
  test('a guard sets the safe quote, closes either side and reads the quote back', async () => {
    const { port, guard } = await makeVenue({ isActive: true })
    const client = openGuard(guard)
    expect(await client.write('safe')).toEqual({ kind: 'done', words: 'confirmed' })
    for (const side of ['bid', 'ask'] as const) {
      expect(valueOf(await client.readSide(side))).toBe(SAFE_BPS)
      expect(await ask(port, { type: 'readQuote', side })).toMatchObject({ spreadBps: SAFE_BPS })
    }
    for (const side of ['bid', 'ask'] as const)
      expect(await client.write(`${side}-off`)).toEqual({ kind: 'done', words: 'confirmed' })
    expect(await client.readActive()).toBe(true)
  })

  test('a guard takes the position out, once or again', async () => {
    const { port, guard } = await makeVenue({ isActive: true })
    const client = openGuard(guard)
    expect(await client.deactivate()).toMatchObject({ kind: 'done' })
    expect(await client.readActive()).toBe(false)
    expect(await ask(port, { type: 'readAccount' })).toMatchObject({ isActive: false })
    expect(await client.deactivate()).toMatchObject({ kind: 'done' })
  })

  test('a guard takes a partial deactivation for a failed one', async () => {
    const { guard, keepBack } = await makeVenue({ isActive: true })
    keepBack('NTZS', '1')
    expect(await openGuard(guard).deactivate()).toMatchObject({ kind: 'failed' })
  })

  test('a guard takes another quote than its own for no confirmation', async () => {
    const { guard } = await makeVenue()
    const { requestsFor, dialect } = guard
    const requests = requestsFor(SAFE_BPS)
    const held = JSON.parse(requests.safe.body ?? '') as Record<string, unknown>
    expect(dialect.confirms(held, held)).toBe(true)
    for (const other of [requests['bid-off'], requests['ask-off']])
      expect(dialect.confirms(JSON.parse(other.body ?? '') as Record<string, unknown>, held)).toBe(false)
    expect(dialect.confirms({}, held)).toBe(false)
  })

  test('a guard learns why a write is refused: the key, the limit, or a code of the venue', async () => {
    const unknown = await makeVenue({ key: 'unknown' })
    expect(await openGuard(unknown.guard).write('safe')).toMatchObject({ kind: 'refused-key' })
    const limited = await makeVenue({ requestsPerMinute: 1 })
    const client = openGuard(limited.guard)
    await client.readActive()
    expect(await client.write('safe')).toMatchObject({ kind: 'limited' })
    const { guard } = await makeVenue()
    expect(await openGuard(guard, 501).write('safe')).toMatchObject({
      kind: 'failed',
      words: expect.stringMatching(/^the venue answers 400, [A-Z_]+$/),
    })
  })

  test.each(['reset-before', '500', 'malformed', 'html', 'truncated'] as const)(
    'a guard does not take a write that %s damages for confirmed, and the next one is',
    async (damage) => {
      const { guard, damageNext } = await makeVenue()
      const client = openGuard(guard)
      damageNext(damage)
      expect(await client.write('safe')).toMatchObject({ kind: 'failed' })
      expect(await client.write('safe')).toMatchObject({ kind: 'done' })
    },
  )
}

function openGuard({ url, apiKey, requestsFor, dialect }: GuardParts, safeBps = SAFE_BPS) {
  const link = openLink(url, { maxBytes: 1_000_000, connections: 1 })
  onTestFinished(() => link.close())
  return createGuardVenue({
    settings: { requests: requestsFor(safeBps), writeTimeoutMs: 10_000, slowTimeoutMs: 60_000 },
    dialect,
    link,
    apiKey: () => ok(apiKey),
    traffic: { onRequest: () => undefined, onAnswer: () => undefined },
  })
}

function custodyOf({ selfCustody }: VenuePort) {
  if (selfCustody === null) throw new Error('this venue takes no signed orders')
  return selfCustody
}

/** Performs one request; its outcome is an event, with the number of the request and the time. */
async function ask(port: VenuePort, wanted: Wanted): Promise<Event> {
  const event = await port.perform({ ...wanted, id: 7 }, () => 1_000)
  expect(event).toMatchObject({ request: 7, t: 1_000 })
  return event
}

async function failureTo(port: VenuePort, wanted: Wanted) {
  const event = await ask(port, wanted)
  if (event.type !== 'requestFailed') throw new Error(`expected a failure, got ${event.type}`)
  return event.failure
}
