import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { needs } from '../../support/needs.ts'
import { logLines } from '../daemon/log-lines.ts'
import type { ConfigPatch } from '../daemon/position-folder.ts'
import { runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { expectBooksOfChain } from './books-of-chain.ts'
import { chainTruth, overPromisedTokens } from './chain-truth.ts'
import { openCustodyMarket, setCustody, type CustodyMarket } from './custody-market.ts'
import { startHttpProxy, type HttpProxy, type ProxyRules } from './http-proxy.ts'
import { hidesFills, saysAllIsFilled } from './lying-endpoint.ts'

const SHIFTED_CLOCK = fileURLToPath(new URL('shifted-clock.mjs', import.meta.url))
const QUIET = { solver: { policy: 'never' } } as const

describe.skipIf(needs('anvil')).concurrent('in self-custody', { timeout: 150_000 }, () => {
  test('nothing is signed while venue, chain, clock or wallet are not what the configuration says', async () => {
    const market = await openCustodyMarket({ venue: QUIET, allowance: 0n })
    const { accounts, tokens } = market.chain
    const { NTZS, USDC, USDT } = tokens.address
    const stranger = accounts.stranger.address
    await refused(market, [
      {
        rfq: { solver: stranger },
        why: /solver 0x7099.*rfq\.solver is 0x90f7/,
      },
      { rfq: { chainId: 31_337 }, why: /chainId 8453, .*rfq\.chainId is 31337/ },
      { rfq: { exchange: stranger }, why: /rfq\.exchange is 0x90f7/ },
      // The dollar and the shilling have changed places.
      {
        rfq: { tokens: { NTZS: USDC, USDC: NTZS, USDT } },
        why: /the chain has not been read/,
        log: /reports 6 decimals for NTZS at 0x8335\w+; expected 18/,
      },
      {
        rfq: {},
        why: /the venue's clock is 20\.\d s from ours, rfq\.maxClockOffsetMs allows 5\.0 s/,
        onAnswer: (_passing, answered) => ({
          ...answered,
          headers: { ...answered.headers, date: new Date(Date.now() + 20_000).toUTCString() },
        }),
      },
    ])

    const daemon = await started(market, {})
    const view = await until('it knows what it may promise', async () => {
      const seen = await daemon.state()
      return (
        seen.reconciliation.state === 'reconciled' &&
        seen.rfq?.solver != null &&
        seen.rfq.chain !== null &&
        seen
      )
    })
    await pause(1_500)
    expect(view.rfq?.allowances).toEqual({ NTZS: '0', USDC: '0', USDT: '0' })
    expect(view.rfq?.free).toEqual({ NTZS: '0', USDC: '0', USDT: '0' })
    expect(market.sent).toEqual([])

    // What the venue refuses it has seen: it stays owed, and the reason says what helps.
    await setCustody(market.venue, false)
    for (const asset of ['NTZS', 'USDC'] as const)
      await tokens.approve(asset, accounts.maker.address, market.chain.exchange, 10n ** 30n)
    const told = await blocked(daemon, /run `mizani custody enable`/)
    expect(told.rfq?.orders.every(({ phase }) => phase === 'refused' || phase === 'placing')).toBe(true)
    expect(told.rfq?.orders.length).toBe(market.sent.length)
    await daemon.kill('SIGKILL')
    await market.close()
  })

  test('an emptied wallet raises an alert at once, and orders are cancelled down to the balance', async () => {
    const market = await openCustodyMarket({
      venue: QUIET,
      ladder: { levels: 4, usd: 1_000 },
      rfq: { cancel: { policy: 'auto' } },
    })
    const { chain } = market
    const daemon = await started(market, {})
    await orders(daemon, 8)
    await chain.tokens.move(
      'USDC',
      chain.accounts.maker.address,
      chain.accounts.stranger.address,
      7_000n * 10n ** 6n,
    )
    const before = await chainTruth(chain, market.sent)
    expect(overPromisedTokens(before)).toHaveLength(1)
    await until('the alarm', () => alerts(daemon).some(({ code }) => code === 'promise-over-balance'))
    const alarm = alerts(daemon).find(({ code }) => code === 'promise-over-balance')
    expect(alarm).toMatchObject({ severity: 'critical' })
    await until('what is promised is there', async () => {
      return overPromisedTokens(await chainTruth(chain, market.sent)).length === 0
    })
    await until(
      'tokens that are gone are a gap',
      async () => (await daemon.state()).reconciliation.state === 'break',
      {
        otherwise: () => daemon.state(),
      },
    )
    await daemon.kill('SIGKILL')
    await market.close()
  })

  test('a chain that is cut off stops new orders, not the memory of the old ones; back again it continues', async () => {
    const market = await openCustodyMarket({
      venue: QUIET,
      rfq: { maxChainLagMs: 4_000 },
    })
    const daemon = await started(market, {})
    const stood = await orders(daemon, 6)
    market.wire.rules.onRequest = () => 'cut'
    const cut = await blocked(daemon, /the chain was last seen \d+\.\d s ago/)
    expect(cut.rfq?.orders.map(({ salt }) => salt)).toEqual(stood)
    market.venue.model.inject({ jump: { bps: 50 } })
    await pause(1_500)
    expect(market.sent).toHaveLength(6)
    market.wire.rules.onRequest = () => 'pass'
    await until('it signs again', () => market.sent.length > 6, { otherwise: () => daemon.state() })
    expect((await daemon.state()).rfq?.blocked).toBe(null)

    // A chain that stands still keeps its orders fillable, however late it is here.
    const owed = (await daemon.state()).rfq?.orders.map(({ salt }) => salt) ?? []
    await market.chain.rpc('evm_setIntervalMining', [0])
    await daemon.kill('SIGKILL')
    await using late = market.start({
      NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`,
      TEST_CLOCK_OFFSET_MS: '300000',
    })
    await blocked(late, /the venue's clock is -\d+\.\d s from ours|the chain was last seen \d+\.\d s ago/)
    await pause(2_000)
    const waiting = await late.state()
    expect(waiting.now).toBeGreaterThan(Date.now() + 200_000)
    expect(waiting.rfq?.orders.map(({ salt }) => salt)).toEqual(expect.arrayContaining(owed))
    expect(waiting.rfq?.counts.expired).toBe(0)
    await market.chain.advance(200_000)
    await until(
      'the chain says that they are over, and blocks stand on it',
      async () => {
        await market.chain.mine()
        return (await late.state()).rfq?.orders.length === 0
      },
      {
        otherwise: () => late.state(),
      },
    )
    await market.close()
  })

  test('an endpoint that lies about orders or hides fills gets none released, alone or beside an honest one', async () => {
    const market = await openCustodyMarket({
      venue: QUIET,
      rfq: { maxChainLagMs: 4_000 },
    })
    const { chain, wire } = market
    const both = { rfq: { maxChainLagMs: 4_000, rpc: { urls: [wire.url, chain.url], quorum: 2 } } }
    const daemon = await started(market, both)
    const stood = await orders(daemon, 6)
    wire.rules.onAnswer = saysAllIsFilled
    const doubted = await blocked(daemon, /the chain was last seen \d+\.\d s ago/)
    expect(doubted.rfq?.orders.map(({ salt }) => salt)).toEqual(stood)
    expect(daemon.output()).toMatch(/at block \d+: order \d+ is (FILLED|FILLABLE)/)
    await daemon.kill('SIGKILL')

    const alone = await started(market, { rfq: { maxChainLagMs: 4_000 } })
    await until('it says who does not tell the truth', () =>
      alerts(alone).some(({ code }) => code === 'chain-disagrees'),
    )
    await chain.mine(4)
    await pause(1_500)
    expect((await alone.state()).rfq?.orders.map(({ salt }) => salt)).toEqual(expect.arrayContaining(stood))

    wire.rules.onAnswer = hidesFills
    // Of those that are outstanding now: on a slow machine the first one that was sent may have been replaced.
    const outstanding = (await alone.state()).rfq?.orders.map(({ salt }) => salt) ?? []
    const bid = market.sent.find(
      ({ order }) =>
        order.takerToken === chain.tokens.address.NTZS.toLowerCase() &&
        outstanding.includes(order.salt.toString()),
    )
    if (bid === undefined) throw new Error('there is no bid')
    const { orders: seen } = await chainTruth(chain, [bid])
    await fetch(`${market.venue.url}/sandbox/chain/fill`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ orderHash: seen[0]?.hash }),
    })
    await chain.mine(4)
    await pause(1_500)
    const hidden = await alone.state()
    expect(hidden.fills.total).toBe(0)
    expect(hidden.rfq?.orders.some(({ salt }) => salt === bid.order.salt.toString())).toBe(true)
    wire.rules.onAnswer = (_passing, answered) => answered
    await until('the fill is booked', async () => (await alone.state()).fills.total === 1, {
      otherwise: () => alone.state(),
    })
    await expectBooksOfChain(market, alone)
    await alone.kill('SIGKILL')
    await market.close()
  })
})

/** A daemon whose books are empty. */
async function started(
  market: CustodyMarket,
  patch: Readonly<Record<string, unknown>>,
): Promise<RunningDaemon> {
  market.configure(patch)
  const daemon = market.start()
  await daemon.url()
  return daemon
}

type Wrong = Partial<Pick<ProxyRules, 'onAnswer'>> & {
  readonly rfq: ConfigPatch
  readonly why: RegExp
  readonly log?: RegExp
}

/**
 * Positions of one daemon, each with something else that is wrong, say why they sign nothing, and sign nothing. Each has a store, a
 * wallet and a door to the venue of its own: no daemon signs twice from one wallet, or trades twice with one key at one address.
 */
async function refused(market: CustodyMarket, wrong: readonly Wrong[]): Promise<void> {
  const { folder, venue, noteSent } = market
  const env: Record<string, string> = {}
  const doors: HttpProxy[] = []
  const configs: string[] = []
  for (const [index, { rfq, onAnswer }] of wrong.entries()) {
    const name = `refused-${index}`
    const door = await startHttpProxy(venue.url)
    Object.assign(door.rules, { onRequest: noteSent, ...(onAnswer === undefined ? {} : { onAnswer }) })
    doors.push(door)
    const key = `0x${String(index + 1).repeat(64)}` as const
    env[`KEY_${index}`] = key
    const signer = { envKey: `!env KEY_${index}`, allowInLive: true }
    const sections = {
      name,
      venue: { baseUrl: door.url, requestTimeoutMs: 8_000 },
      rfq: { maker: privateKeyToAccount(key).address, signer, ...rfq },
      store: { path: join(folder.path, name) },
    }
    configs.push(folder.write(`${name}.yaml`, readFileSync(market.configure(sections), 'utf8')))
  }
  const daemon = runDaemon({ configs, env })
  for (const [index, { why, log = /./ }] of wrong.entries()) {
    await blocked(daemon, why, `refused-${index}`)
    await until(`the log says ${log}`, () => log.test(daemon.output()), { otherwise: () => daemon.output() })
  }
  await daemon.kill('SIGKILL')
  await Promise.all(doors.map((door) => door.close()))
  expect(market.sent).toEqual([])
}

async function blocked(daemon: RunningDaemon, why: RegExp, position?: string): Promise<PositionView> {
  return until(
    `it is blocked: ${why}`,
    async () => {
      const view = await daemon.state(position)
      return why.test(view.rfq?.blocked ?? '') && view
    },
    { otherwise: async () => [(await daemon.state(position)).rfq, daemon.errors()] },
  )
}

/** The salts of so many orders, once all of them stand. */
async function orders(daemon: RunningDaemon, count: number): Promise<string[]> {
  return until(
    `${count} orders`,
    async () => {
      const { rfq } = await daemon.state()
      const isAll = rfq?.orders.length === count && rfq.orders.every(({ phase }) => phase === 'open')
      return isAll && rfq.orders.map(({ salt }) => salt)
    },
    { otherwise: async () => [daemon.errors(), (await daemon.state()).rfq] },
  )
}

function alerts(daemon: RunningDaemon) {
  return logLines(daemon.output()).filter(({ event }) => event === 'alert')
}
