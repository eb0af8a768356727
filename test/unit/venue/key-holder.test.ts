import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { callTo } from '../../../src/venue/call.ts'
import { createVenueClient } from '../../../src/venue/client.ts'
import type { VenueSecrets } from '../../../src/venue/sender.ts'
import { createKeyHolder } from '../../../src/venue/key-holder.ts'
import { LP_DIALECT } from '../../../src/venue/wire/lp-dialect.ts'

const KEY = 'mm_live_4f9a8b7c6d5e'
const ORDER = { asset: 'USDC', amount: 1_000_000n, toAddress: `0x${'a1'.repeat(20)}` } as const

async function venue() {
  const received: { url: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    received.push({ url: request.url ?? '', authorization: request.headers.authorization })
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ isActive: false, walletAddress: null, echo: request.headers.authorization }),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function clientOf(baseUrl: string, secrets: Omit<VenueSecrets, 'apiKey'> = {}) {
  const client = createVenueClient({ baseUrl }, { apiKey: KEY, ...secrets })
  onTestFinished(() => client.close())
  return client
}

describe('while withdraw.enabled is false', () => {
  test('no payout is sent, whatever its route and path, and a write that is not declared is one', async () => {
    const { received, baseUrl } = await venue()
    const client = clientOf(baseUrl)
    const call = client.calls.withdraw(ORDER)
    const undeclared = callTo('POST /payouts', '/payouts', { translate: () => ok(null) })
    const spelled = (from: string, to: string) => ({
      ...call,
      route: 'GET /x',
      path: call.path.replace(from, to),
      paysOut: false,
    })
    const payouts = [
      call,
      { ...call, route: 'GET /account', path: '/anywhere' },
      undeclared,
      spelled('', ''),
      spelled('withdraw', 'withdraw/'),
      spelled('withdraw', 'WithDraw'),
      spelled('withdraw', '%77ithdraw'),
      spelled('/withdraw', '%2Fwithdraw'),
      spelled('withdraw', '%zz'),
    ]
    const answers = await Promise.all([client.withdraw(ORDER), ...payouts.map((one) => client.send(one))])
    for (const answer of answers)
      expect(answer).toMatchObject({ ok: false, error: { code: 'ROUTE_OFF', outcome: 'failed' } })
    expect(received).toEqual([])
    expect((await client.account()).ok).toBe(true)
  })

  test('the route is there once the configuration turns it on', async () => {
    const { received, baseUrl } = await venue()
    await clientOf(baseUrl, { mayPayOut: true }).withdraw(ORDER)
    expect(received.map(({ url }) => url)).toEqual(['/api/v1/mm/withdraw'])
  })
})

describe('the venue’s key', () => {
  test('is exchanged from one request to the next, on the same connections', async () => {
    const { received, baseUrl } = await venue()
    const client = clientOf(baseUrl)
    await client.account()
    client.exchangeKey('mm_live_another')
    await client.account()
    expect(received.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${KEY}`,
      'Bearer mm_live_another',
    ])
  })

  test('is given out by nothing that holds it, neither before nor after an exchange', async () => {
    const { baseUrl } = await venue()
    const client = clientOf(baseUrl)
    client.exchangeKey('mm_live_another')
    expect(inspect(client, { depth: 9, showHidden: true })).not.toMatch(/mm_live/)
    const holder = createKeyHolder(KEY, false, LP_DIALECT.keyHeaders)
    holder.exchange('mm_live_another')
    expect(inspect(holder, { depth: 9 })).not.toMatch(/mm_live/)
    expect(holder.redact(`${KEY} and mm_live_another`)).toBe('[redacted] and [redacted]')
  })
})
