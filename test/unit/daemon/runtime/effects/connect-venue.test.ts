import { expect, onTestFinished, test } from 'vitest'
import { ok } from '../../../../../src/base/result.ts'
import { Secret } from '../../../../../src/daemon/config/source/secret.ts'
import { exchangeKey } from '../../../../../src/daemon/runtime/effects/connect-venue.ts'
import { venueSettingsSchema } from '../../../../../src/venue/settings.ts'
import { scriptedServer, sendJson } from '../../../venue/scripted-server.ts'

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test.each([
  ['the same wallet in another case', WALLET, WALLET.toLowerCase(), null],
  ['another wallet', WALLET, `0x${'1'.repeat(40)}`, /another account/],
  ['no wallet by either key', null, null, /unknown whether/],
  ['no wallet by the new key', WALLET, null, /unknown whether/],
])('a new key whose account names %s', async (_, ours, theirs, refusal) => {
  const server = await scriptedServer((response) =>
    sendJson(response, { isActive: true, walletAddress: theirs }),
  )
  onTestFinished(() => server.close())
  const used: string[] = []
  const client = {
    account: async () => ok({ walletAddress: ours }),
    exchangeKey: (key: string) => void used.push(key),
  }
  const venue = { kind: 'lp', ...venueSettingsSchema.parse({ baseUrl: server.url, publicUrl: null }) }
  const config = { venue, apiKey: new Secret('mm_new'), withdraw: { enabled: false }, core: { mode: 'live' } }
  const problem = await exchangeKey(client as never, config as never)
  if (refusal === null) expect([problem, used]).toEqual([null, ['mm_new']])
  else expect([problem, used]).toEqual([expect.stringMatching(refusal), []])
})
