import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkCustody } from '../../../src/research/diagnosis/check/custody.ts'
import { createVenueClient } from '../../../src/venue/client.ts'
import type { CheckResult } from '../../../src/venue/check-result.ts'
import { venueSettingsSchema } from '../../../src/venue/settings.ts'
import { needs } from '../../support/needs.ts'
import type { ConfigPatch } from '../daemon/position-folder.ts'
import { custodyConfig } from './custody-config.ts'
import { openCustodyMarket, type CustodyMarket } from './custody-market.ts'

describe.skipIf(needs('anvil'))('the doctor, asked about self-custody', () => {
  let market: CustodyMarket
  beforeAll(async () => {
    market = await openCustodyMarket({ venue: { solver: { policy: 'never' } }, allowance: 5_000_000n })
  })
  afterAll(() => market.close())

  async function findings(patch: ConfigPatch = {}): Promise<Record<string, CheckResult[]>> {
    const config = await custodyConfig(market, patch)
    const client = createVenueClient(venueSettingsSchema.parse(config.venue), {
      apiKey: config.apiKey.reveal(),
    })
    const found: CheckResult[] = []
    for await (const finding of checkCustody(config, client)) found.push(finding)
    await client.close()
    return Object.groupBy(found, ({ name }) => name) as Record<string, CheckResult[]>
  }

  test('says that key, solver and chain fit, and what of each token the exchange may take', async () => {
    const { signer, solver, chain, wallet } = await findings({ mode: 'dry-run' })
    const { maker, solver: solverAccount } = market.chain.accounts
    expect(signer).toEqual([
      {
        name: 'signer',
        status: 'ok',
        detail: `opens and is the wallet ${maker.address.toLowerCase()}`,
        hint: null,
      },
    ])
    expect(solver).toMatchObject([
      { status: 'ok', detail: `orders name ${solverAccount.address.toLowerCase()}` },
    ])
    expect(chain).toMatchObject([{ status: 'ok', detail: expect.stringContaining('right decimals') }])
    const held = market.venue.model.book().ours.wallet
    expect(wallet?.map(({ detail }) => detail)).toEqual([
      `${held.NTZS / 10n ** 18n} NTZS, the exchange may take 0.000000000005`,
      `${held.USDC / 10n ** 6n} USDC, the exchange may take 5`,
      `${held.USDT / 10n ** 6n} USDT, the exchange may take 5`,
    ])
  })

  test('a token that the exchange may not take is one to look at, with the command that helps', async () => {
    const { tokens, accounts, exchange } = market.chain
    await tokens.approve('USDC', accounts.maker.address, exchange, 0n)
    const { wallet } = await findings()
    expect(wallet?.filter(({ status }) => status !== 'ok')).toEqual([
      {
        name: 'wallet',
        status: 'warn',
        detail: expect.stringMatching(/USDC, .* take 0$/),
        hint: '`mizani custody enable` approves the amounts in rfq.approve',
      },
    ])
    await tokens.approve('USDC', accounts.maker.address, exchange, 5_000_000n)
  })

  test('a key of another wallet fails, and no line holds it', async () => {
    const { accounts } = market.chain
    const found = await findings({ rfq: { maker: accounts.stranger.address } })
    expect(found['signer']).toMatchObject([{ status: 'fail', hint: 'see docs/keys.md' }])
    expect(JSON.stringify(found)).not.toContain(accounts.maker.key.slice(2))
  })

  test('a key from the environment is one to look at in live mode', async () => {
    const { signer } = await findings({ mode: 'live' })
    expect(signer).toMatchObject([{ status: 'warn', hint: expect.stringContaining('allowInLive') }])
  })

  test('orders that may live longer than two minutes are a warning', async () => {
    const { orders } = await findings({ rfq: { maxLifeMs: 600_000 } })
    expect(orders).toMatchObject([{ status: 'warn', detail: expect.stringContaining('600 s') }])
  })

  test('another solver than the venue names fails', async () => {
    const { solver } = await findings({ rfq: { solver: market.chain.accounts.stranger.address } })
    expect(solver).toMatchObject([{ status: 'fail', detail: expect.stringContaining('rfq.solver is') }])
  })

  test.each([
    ['another exchange', () => ({ exchange: market.chain.accounts.stranger.address }), /exchange/i],
    [
      'tokens that have changed places',
      () => {
        const { NTZS, USDC } = market.chain.tokens.address
        return { tokens: { NTZS: USDC, USDC: NTZS } }
      },
      /decimals/,
    ],
    ['an endpoint that no one listens on', () => ({ rpc: { urls: ['http://127.0.0.1:9'] } }), /127\.0\.0\.1/],
  ])('%s fails before any wallet is looked at', async (_name, rfq, words) => {
    const found = await findings({ rfq: rfq() })
    expect(found['chain']).toMatchObject([
      {
        status: 'fail',
        detail: expect.stringMatching(words),
        hint: 'compare rfq with the chain; no order is signed until they agree',
      },
    ])
    expect(found['wallet']).toBeUndefined()
  })

  test('a chain that falls silent between opening and reading fails', async () => {
    market.wire.rules.onRequest = ({ body }) => (body.includes('eth_chainId') ? 'pass' : 'cut')
    const found = await findings()
    market.wire.rules.onRequest = () => 'pass'
    expect([...(found['chain'] ?? []), ...(found['wallet'] ?? [])].at(-1)).toMatchObject({ status: 'fail' })
  })

  test('a pooled position is not asked', async () => {
    const config = await custodyConfig(market)
    const client = createVenueClient(venueSettingsSchema.parse(config.venue), { apiKey: 'no one asks' })
    const pooled = { ...config, rfq: null, core: { ...config.core, rfq: null } }
    for await (const finding of checkCustody(pooled, client)) expect.unreachable(finding.detail)
    await client.close()
  })
})
