import { describe, expect, test } from 'vitest'
import { setCompetitorQuote } from '../../../src/simulator/sandbox/market/provider.ts'
import { announceNext } from '../../../src/simulator/sandbox/partner/control/control.ts'
import type { Intent } from '../../../src/treasury/model/intent.ts'
import type { TreasuryView } from '../../../src/daemon/view/treasury-view.ts'
import { type PositionHere, startPositionHere } from '../daemon/position-here.ts'
import { HTTP_TOKEN, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { openTreasuryMarket, type TreasuryMarket, TREASURY_ENV } from './open-treasury-market.ts'

const TOKEN = 10n ** 18n
const ALONE = { people: 1, coolOffMs: 0, freeRefill: { NTZS: '50000000', USDC: '50000' } }
/** Our own quote is 60 and 70 bps: a taker is better served here. */
const RIVAL_BPS = 20

/** Short of dollars, with shillings to spare in the treasury's wallet, and one rival whose quote is better than ours. */
async function openShortOfDollars(policy: object, more: object = {}): Promise<TreasuryMarket> {
  const market = await openTreasuryMarket(
    {
      policy: {
        bands: {
          NTZS: { target: '10000000', refillBelow: '0', skimAbove: '90000000' },
          USDC: { target: '4000', refillBelow: '3000', skimAbove: '90000' },
        },
        ...policy,
      },
      approval: ALONE,
      ...more,
    },
    {
      opening: { NTZS: '20000000', USDC: '1000', USDT: '0' },
      // As the strategy has it, so that the first quote is no other than the later ones.
      spread: { bidBps: 60, askBps: 70 },
      partner: { owner: { NTZS: '20000000' }, settings: { settleMs: 200 } },
    },
  )
  for (const provider of market.venue.model.state.providers)
    if (!provider.ours) setCompetitorQuote(provider, RIVAL_BPS, RIVAL_BPS)
  return market
}

async function intentThat(market: TreasuryMarket, what: string, is: (intent: Intent) => boolean) {
  return until(what, () => Object.values(market.state()?.intents ?? {}).find(is), {
    otherwise: () => JSON.stringify(market.events().slice(-8), bigintText).slice(-6_000),
  })
}

async function shown(daemon: RunningDaemon): Promise<TreasuryView> {
  return (await daemon.get('/api/v1/treasury')).body as TreasuryView
}

/** Both ledgers agree to the last unit: the desk has no residual, and the position is reconciled with the venue. */
async function expectReconciled(
  market: TreasuryMarket,
  daemon: Pick<PositionHere, 'state' | 'treasury'>,
): Promise<void> {
  await until('the ledger is reconciled', async () => {
    const { reconciliation } = await daemon.state()
    return reconciliation.state === 'reconciled' ? true : null
  })
  const { identity, claims } = await daemon.treasury()
  expect([identity?.tzs.residual, identity?.usd.residual, claims]).toEqual(['0', '0', []])
  const unreconciled = market.state()?.books.accounts['unreconciled']
  expect([unreconciled?.USDC ?? 0n, (unreconciled?.NTZS ?? 0n) / TOKEN]).toEqual([0n, 0n])
}

/** The venue sweeps what arrived in a wallet some time after it arrived. */
function sweptIntoPool({ venue }: TreasuryMarket): Promise<unknown> {
  const { ours } = venue.model.state
  return until('the dollars are swept into the pool', () => ours.pool.USDC > 3_900_000_000n)
}

/** Dollars that the position's own side of the venue sold to takers: a swap with ourselves would be one of them. */
function ourFills(market: TreasuryMarket): number {
  return market.venue.model.book().ours.fills.length
}

describe('a position that is low on dollars', () => {
  test('refills by a swap with another provider, at a floor above our own quote, and shows what it cost', async () => {
    const market = await openShortOfDollars({ routes: ['swap', 'rebalance'] })
    const daemon = await startPositionHere(market.config, TREASURY_ENV)
    const refill = await intentThat(
      market,
      'the swap refill',
      ({ route, endedAt }) => route === 'swap' && endedAt !== null,
    )
    expect(refill.legs.map(({ kind, stage }) => `${kind} ${stage}`)).toEqual([
      'swap settled',
      'transfer settled',
      'lpActivation settled',
    ])
    const [swap] = refill.legs
    const { mid } = market.venue.model.state
    // At our own bid of 60 bps and the protocol's fee a taker would get less than the floor.
    const atMid = ((swap?.amount ?? 0n) * 10n ** 6n) / mid
    expect(swap?.leastReceived).toBeGreaterThan((atMid * (10_000n - 70n)) / 10_000n)
    expect(swap?.received).toBeGreaterThanOrEqual(swap?.leastReceived ?? 0n)
    expect(ourFills(market)).toBe(0)
    await expectReconciled(market, daemon)
    const { ended, identity } = await daemon.treasury()
    expect(ended.find(({ route }) => route === 'swap')).toMatchObject({ stage: 'settled' })
    // The rival's spread of 20 bps and the protocol's 10 of some 7,500,000 TZS.
    expect(Number(identity?.tzs.costs)).toBeLessThan(-15_000)
    expect(Number(identity?.tzs.costs)).toBeGreaterThan(-45_000)
    await sweptIntoPool(market)
    expect(await daemon.leave()).toContain('confirmed by')
    await market.close()
  }, 120_000)

  test('whose swap was cut by kill -9 swaps once: what is unknown is a claim, and resolved it reaches the position', async () => {
    const market = await openShortOfDollars({ routes: ['swap', 'rebalance'] }, { replayWindowMs: 1_500 })
    announceNext(market.venue.model.partner, { kind: 'late', route: 'POST /swap', ms: 4_000 })
    const first = market.start()
    await intentThat(
      market,
      'the swap is sent',
      ({ legs }) => legs[0]?.kind === 'swap' && legs[0].stage === 'sending',
    )
    await until('the venue has it', () => market.partner.world.venue.usedIdempotencyKeys.size > 0)
    await first.kill('SIGKILL')

    await using second = market.start()
    const claim = await intentThat(market, 'the claim', ({ stage }) => stage === 'claim')
    expect(market.partner.world.venue.usedIdempotencyKeys.size).toBe(1)
    // The claim may be shown before the balances that were read after the swap.
    const received = await until('the dollars of the swap', async () => {
      const { places } = (await shown(second)).holdings
      const usdc = places.find(({ place }) => place === 'treasury')?.onHand?.USDC ?? '0'
      return Number(usdc) > 2_900 ? usdc : null
    })
    const order = {
      position: 'desk-1',
      intent: claim.id,
      as: 'arrived',
      received,
      why: 'it lies in the wallet',
    }
    expect(await second.post('treasury/resolve-claim', order, HTTP_TOKEN)).toMatchObject({ status: 200 })
    await intentThat(
      market,
      'the dollars reach the position',
      ({ route, stage }) => route === 'rebalance' && stage === 'settled',
    )
    expect(market.partner.world.venue.usedIdempotencyKeys.size).toBe(1)
    await sweptIntoPool(market)
    await expectReconciled(market, { state: second.state, treasury: () => shown(second) })
    await market.close()
  }, 120_000)
})

describe('the ramp', () => {
  test('brings dollars from a phone into the position, and pays dollars of the float out to another one', async () => {
    const market = await openShortOfDollars(
      {
        routes: ['onramp', 'offramp'],
        bands: { USDC: { target: '1300', refillBelow: '1200', skimAbove: '90000' } },
      },
      { phone: '0754000111', payees: [{ name: 'house', phone: '0754000777', admitted: true }] },
    )
    const daemon = await startPositionHere(market.config, TREASURY_ENV)
    const refill = await intentThat(
      market,
      'the onramp',
      ({ route, endedAt }) => route === 'onramp' && endedAt !== null,
    )
    expect(refill.legs.map(({ kind, stage }) => `${kind} ${stage}`)).toEqual([
      'onramp settled',
      'lpActivation settled',
    ])
    const order = {
      name: 'payout',
      payee: 'house',
      asset: 'USDC',
      amount: 200_000_000n,
      why: 'rent',
    } as const
    const ordered = { method: 'treasuryOrder', order, by: 'operator', who: 'anna' } as const
    expect(await daemon.ask(ordered)).toMatchObject({ accepted: true })
    const unknown = { ...ordered, order: { ...order, payee: 'nobody' } }
    expect(await daemon.ask(unknown)).toMatchObject({
      accepted: false,
      answer: expect.stringContaining('nobody'),
    })
    const payout = await intentThat(
      market,
      'the offramp',
      ({ route, endedAt }) => route === 'offramp' && endedAt !== null,
    )
    expect(payout.legs.map(({ kind, stage }) => `${kind} ${stage}`)).toEqual(['offramp settled'])
    const settlements = [...market.partner.payments.settlements.values()]
    expect(settlements.map(({ status }) => status)).toEqual(['completed', 'completed'])
    await expectReconciled(market, daemon)
    expect(await daemon.leave()).toContain('confirmed by')
    await market.close()
  }, 120_000)
})

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
