import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SolverEvent } from '../../../src/core/engine/model/order-event.ts'
import { systemClock } from '../../../src/daemon/runtime/position/clock.ts'
import type { OrderEffect } from '../../../src/core/engine/model/effect.ts'
import { openCustody } from '../../../src/daemon/runtime/effects/custody.ts'
import { openSignerFile } from '../../../src/daemon/runtime/effects/wallet-signer.ts'
import { createLog } from '../../../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../../../src/daemon/telemetry/metrics/metrics.ts'
import { createVenueClient } from '../../../src/venue/client.ts'
import { venueSettingsSchema } from '../../../src/venue/settings.ts'
import { needs } from '../../support/needs.ts'
import { orderOn } from '../chain/chain-fixture.ts'
import type { ConfigPatch } from '../daemon/position-folder.ts'
import { custodyConfig } from './custody-config.ts'
import { openCustodyMarket, type CustodyMarket } from './custody-market.ts'

const READ: OrderEffect = { type: 'readChain', id: 7, orders: [], fillsFrom: null, after: null }

describe.skipIf(needs('anvil'))('what performs the orders of a position', () => {
  let market: CustodyMarket
  beforeAll(async () => {
    market = await openCustodyMarket({ venue: { solver: { policy: 'never' } } })
  })
  afterAll(() => market.close())

  async function opened(patch: ConfigPatch = {}, change: { readonly rfq?: null } = {}) {
    const config = await custodyConfig(market, patch)
    const client = createVenueClient(venueSettingsSchema.parse(config.venue), {
      apiKey: config.apiKey.reveal(),
    })
    const written: string[] = []
    const log = createLog({
      position: 'desk-1',
      level: 'info',
      to: { write: (line) => void written.push(line) },
    })
    return {
      custody: await openCustody({
        config: { ...config, ...change },
        client,
        clock: systemClock(),
        log,
        metrics: createMetrics('desk-1'),
        hold: null,
      }),
      written,
      close: () => client.close(),
    }
  }

  test('is nothing where capital is pooled', async () => {
    const { custody, close } = await opened({}, { rfq: null })
    expect(custody).toEqual({ ok: true, value: null })
    await close()
  })

  test('does not open with the key of another wallet: the start ends, with a sentence and without the key', async () => {
    const { custody, close } = await opened({ rfq: { maker: market.chain.accounts.stranger.address } })
    expect(custody).toMatchObject({ ok: false, error: expect.stringMatching(/0x90f7/i) })
    expect(JSON.stringify(custody)).not.toContain(market.env['MAKER_KEY']?.slice(2))
    await close()
  })

  test('opens without its chain, says so with every reading, and reads when the chain is back', async () => {
    market.wire.rules.onRequest = () => 'cut'
    const { custody, close } = await opened()
    if (!custody.ok || custody.value === null) throw new Error(JSON.stringify(custody))
    const { perform } = custody.value
    expect(await perform(READ)).toMatchObject({
      type: 'requestFailed',
      request: 7,
      failure: { code: 'CHAIN_NOT_OPEN', outcome: 'failed' },
    })
    market.wire.rules.onRequest = () => 'pass'
    expect(await perform(READ)).toMatchObject({ type: 'chainRead', request: 7 })
    await custody.value.close()
    await close()
  })

  test('signs for the pinned solver only, whatever the venue names, and tells the core whom', async () => {
    const unpinned = await opened({ rfq: { solver: null } })
    if (!unpinned.custody.ok || unpinned.custody.value === null)
      throw new Error(JSON.stringify(unpinned.custody))
    expect(unpinned.written.join('')).toContain('solver is pinned')
    expect(unpinned.written.join('')).toContain('allowInLive')
    const expiry = BigInt(Math.floor((await market.chain.now()) / 1_000) + 100)
    const order = { ...(await orderOn(market.chain, 77n)), expiry }
    const { solver, stranger } = market.chain.accounts
    // The venue names the right one, and no person has confirmed it.
    expect(unpinned.custody.value.withPinnedSolver(rfqInfo(solver.address))).toMatchObject({
      pinnedSolver: null,
    })
    const early = await unpinned.custody.value.perform({ type: 'placeOrder', id: 8, order })
    expect(early).toMatchObject({
      type: 'orderFailed',
      stage: 'sign',
      isVoid: true,
      hash: null,
      failure: { code: 'SIGN_NO_SOLVER' },
    })
    await unpinned.custody.value.close()
    await unpinned.close()

    const config = await custodyConfig(market)
    if (config.core.rfq === null || config.rfq === null) throw new Error('there is no section rfq')
    const file = openSignerFile({ config, settings: config.core.rfq, rfq: config.rfq }, 'note')
    if (!file.ok) throw new Error(file.error)
    file.value.pinSolver(solver.address)
    file.value.close()
    const { custody, close } = await opened({ rfq: { solver: null } })
    if (!custody.ok || custody.value === null) throw new Error(JSON.stringify(custody))
    const { perform, withPinnedSolver } = custody.value
    const pinnedSolver = solver.address.toLowerCase()
    expect(withPinnedSolver(rfqInfo(stranger.address))).toMatchObject({
      solverWallet: stranger.address,
      pinnedSolver,
    })
    const theirs = { ...order, taker: stranger.address, txOrigin: stranger.address }
    const foreign = await perform({ type: 'placeOrder', id: 9, order: theirs })
    expect(foreign).toMatchObject({ stage: 'sign', isVoid: true, failure: { code: 'SIGN_WRONG_SOLVER' } })
    const placed = await perform({ type: 'placeOrder', id: 10, order })
    expect(placed).toMatchObject({ type: 'orderPlaced', request: 10, salt: 77n })
    expect([...market.venue.model.state.orders.values()].map((taken) => taken.order.salt)).toEqual([77n])
    const again = await perform({ type: 'placeOrder', id: 11, order })
    expect(again).toMatchObject({ stage: 'sign', failure: { code: 'SIGN_SALT_REUSED' } })
    // A second process with the same store does not sign beside it.
    const second = await opened()
    expect(second.custody).toMatchObject({
      ok: false,
      error: expect.stringContaining('another process signs'),
    })
    await second.close()
    await custody.value.close()
    await close()
    const other = await opened({ rfq: { solver: stranger.address } })
    expect(other.custody).toMatchObject({ ok: false, error: expect.stringContaining('--solver 0x90f7') })
    await other.close()
  })

  function rfqInfo(solverWallet: string | null): SolverEvent {
    const { chainId, exchange } = market.chain
    return { type: 'solver', t: Date.now(), request: 1, solverWallet, chainId, exchange }
  }
})
