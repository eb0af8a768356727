import { afterEach } from 'vitest'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { TOKENS } from '../../../src/simulator/sandbox/market/tokens.ts'
import { createVenueClient, type VenueClient } from '../../../src/venue/client.ts'
import type { VenueSettingsInput } from '../../../src/venue/settings.ts'

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
  apiKey = KEY,
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
    { apiKey, allows: ['POST /withdraw'] },
  )
  opened.push(client, box)
  return { box, client }
}
