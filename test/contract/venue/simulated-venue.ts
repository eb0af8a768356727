import { afterEach } from 'vitest'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { TOKENS } from '../../../src/simulator/sandbox/market/tokens.ts'
import type { GuardParts, VenueUnderTest, VenueWish } from './describe-venue.ts'
import { createVenueClient, type VenueClient } from '../../../src/venue/client.ts'
import type { VenuePort } from '../../../src/venue/port.ts'
import type { VenueSecrets } from '../../../src/venue/sender.ts'
import type { VenueSettingsInput } from '../../../src/venue/settings.ts'
import { guardRequests } from '../../../src/venue/endpoints.ts'
import { LP_DIALECT } from '../../../src/venue/wire/lp-dialect.ts'

export const KEY = 'mm_test_contract_suite'
export const ELSEWHERE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const SPREAD = { bidBps: 12, askBps: 11, quoteBid: true, quoteAsk: true, quotePairs: null }
export const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((thing) => thing.close()))
})

/** A venue whose time stands still, and a client of it. */
export async function venue(
  options: SandboxOptionsInput,
  settings: Partial<VenueSettingsInput> = {},
  { apiKey = KEY, mayPayOut = true } = {},
): Promise<{ box: SandboxServer; client: VenueClient }> {
  const box = await startSandbox({
    speed: 0,
    apiKey: KEY,
    activationDelayMs: 0,
    withdrawalDelayMs: 0,
    requestsPerMinute: 1_000,
    publicRequestsPerMinute: 1_000,
    ...options,
  })
  const client = createVenueClient(
    { baseUrl: box.url, publicUrl: box.url, tokens: { [TOKENS.NTZS.address]: 'NTZS' }, ...settings },
    { apiKey, mayPayOut },
  )
  opened.push(client, box)
  return { box, client }
}

export function swapBothWays(box: SandboxServer, times: number): void {
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

const KEYS = { unknown: 'mm_test_somebody_else', 'read-only': 'mm_test_weak_key' }

/** Opens another client of the simulated venue, which is closed after the test. */
type OpenPort = (
  url: string,
  secrets: VenueSecrets,
) => Promise<{ readonly port: VenuePort; readonly guard: Omit<GuardParts, 'apiKey'> }>

/** The simulated venue with the client of the LP API, or with another one, for `describeVenue`. */
export async function makeSimulatedVenue(
  wish: VenueWish = {},
  openPort?: OpenPort,
  rateRoute = 'GET /rate',
): Promise<VenueUnderTest> {
  const { key, isBusy = false, mayWithdraw = true, ...options } = wish
  const faults = isBusy ? { busyActivation: 1 } : {}
  const secrets = { apiKey: key === undefined ? KEY : KEYS[key], mayPayOut: mayWithdraw }
  const { box, client } = await venue(
    { ...options, faults, noPermissionKeys: [KEYS['read-only']] },
    {},
    secrets,
  )
  const { model } = box
  const requestsFor = (safeBps: number) => guardRequests({ baseUrl: box.url }, { safeBps, pairs: null })
  const lp = { port: client, guard: { url: box.url, requestsFor, dialect: LP_DIALECT } }
  const { port, guard } = (await openPort?.(box.url, secrets)) ?? lp
  return {
    port,
    guard: { ...guard, apiKey: secrets.apiKey },
    rateRoute,
    truth() {
      const { mid, rateUpdatedAt, now } = model.state
      const { walletAddress, rfq: solver } = model.options
      return { now, mid, rateUpdatedAt, walletAddress, solver, book: { ...model.book().ours } }
    },
    trade: (rounds) => swapBothWays(box, rounds),
    damageNext(kind) {
      const routes = ['GET /rate', 'PATCH /spread']
      model.inject({ nextRequest: routes.map((route) => ({ route, kind })) })
    },
    keepBack: (asset, amount) => model.inject({ poolShortfall: { asset, amount } }),
    loseChain: () => model.inject({ faults: { chainUnavailable: true } }),
  }
}
