import { describe, expect, onTestFinished, test } from 'vitest'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { rival, scriptedWorld, START } from '../../unit/simulator/sandbox/scripted-world.ts'
import { httpClient, type HttpClient } from './http-client.ts'

async function open(options: SandboxOptionsInput = {}): Promise<HttpClient> {
  const client = await httpClient(options, scriptedWorld([], [rival('rival', 200, 200)]))
  onTestFinished(() => client.sandbox.close())
  return client
}
describe('time', () => {
  test('in the Date header is the virtual time of the venue', async () => {
    const { ask, advance } = await open()
    expect((await ask('GET', '/rate')).headers.get('date')).toBe(new Date(START).toUTCString())
    expect((await advance(86_400_000)).json).toEqual({ now: START + 86_400_000 })
    expect((await ask('GET', '/rate')).headers.get('date')).toBe(new Date(START + 86_400_000).toUTCString())
  })

  test('runs at its speed by itself', async () => {
    const { ask } = await open({ speed: 100_000, activationDelayMs: 20_000 })
    const activation = await ask('POST', '/activate', { isActive: true })
    expect(activation).toMatchObject({ status: 200, json: { isActive: true } })
    const state = (await ask('GET', '/sandbox/state')).json
    expect(state['now']).toBeGreaterThan(START + 20_000)
    expect(state['isActive']).toBe(true)
  })

  test('standing still, an activation is answered when it has been advanced past', async () => {
    const { ask, advance } = await open({ activationDelayMs: 5_000 })
    const activation = ask('POST', '/activate', { isActive: true })
    expect(await ask('POST', '/activate', { isActive: true })).toMatchObject({ status: 409 })
    await advance(5_000)
    expect(await activation).toMatchObject({ status: 200, json: { isActive: true } })
    expect((await ask('GET', '/account')).json).toMatchObject({ isActive: true })
  })
})

describe('an answer that goes wrong on the wire', () => {
  test('never comes, and the caller gives up', async () => {
    const givesUp = new AbortController()
    const { sandbox, inject } = await open()
    await inject({ nextRequest: { kind: 'timeout-after', route: 'PATCH /spread' } })
    const request = fetch(`${sandbox.url}/api/v1/mm/spread`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer mm_test_sandbox' },
      body: JSON.stringify({ bidBps: 33, askBps: 44 }),
      signal: givesUp.signal,
    })
    const { askBps } = sandbox.model.state.ours
    while (sandbox.model.state.ours.askBps === askBps) await new Promise((resolve) => setImmediate(resolve))
    givesUp.abort()
    await expect(request).rejects.toMatchObject({ name: 'AbortError' })
    expect(sandbox.model.state.ours.askBps).toBe(44)
  })

  test.each(['reset-before', 'truncated'])('is cut off: %s', async (kind) => {
    const { ask, inject } = await open()
    await inject({ nextRequest: { kind } })
    await expect(ask('GET', '/rate')).rejects.toThrow()
    expect((await ask('GET', '/rate')).status).toBe(200)
  })

  test('is no JSON, or a page of HTML', async () => {
    const { ask, inject } = await open()
    await inject({ nextRequest: [{ kind: 'malformed' }, { kind: 'html' }] })
    const malformed = await ask('GET', '/rate')
    expect(malformed.headers.get('content-type')).toContain('application/json')
    expect(malformed.json).toHaveProperty('notJson')
    const html = await ask('GET', '/rate')
    expect(html.status).toBe(502)
    expect(html.headers.get('content-type')).toBe('text/html')
    expect(html.text).toContain('<html>')
  })

  test('does not keep the server from closing', async () => {
    const { sandbox, inject } = await open({ activationDelayMs: 60_000 })
    await inject({ nextRequest: { kind: 'timeout-before', route: 'GET /rate' } })
    const headers = { authorization: 'Bearer mm_test_sandbox', 'content-type': 'application/json' }
    const hung = fetch(`${sandbox.url}/api/v1/mm/rate`, { headers })
    const slow = fetch(`${sandbox.url}/api/v1/mm/activate`, {
      method: 'POST',
      headers,
      body: '{"isActive":true}',
    })
    const outcome = Promise.allSettled([hung, slow])
    while (!sandbox.model.state.isActivating) await fetch(`${sandbox.url}/sandbox/state`)
    await sandbox.close()
    expect((await outcome).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('the control API', () => {
  test('shows the book, our quote, the mid, the clock, the competitors and the counters', async () => {
    const { ask, goLive, inject } = await open()
    await goLive(50, 60)
    await inject({
      externalTransfer: { asset: 'USDT', amount: '1.5' },
      nextRequest: { kind: '500', count: 3 },
      faults: { frozenMid: true },
    })
    const swap = await ask('POST', '/sandbox/swap', { from: 'USDC', to: 'NTZS', amount: '100' })
    expect(swap.json).toEqual({ filled: true, ours: true, id: expect.any(String), spreadBps: 60 })
    const { json } = await ask('GET', '/sandbox/state')
    expect(json).toMatchObject({
      now: START,
      mid: '2500',
      quotable: true,
      isActive: true,
      quote: { bidBps: 50, askBps: 60, quoteBid: true, quoteAsk: true, quotePairs: null },
      book: {
        ours: {
          opening: { NTZS: '40000000', USDC: '12000' },
          pool: { USDC: '12100', NTZS: '39751500' },
          wallet: { USDT: '1.5' },
          feesPaid: { NTZS: '248.5' },
          fills: [
            {
              id: swap.json['id'],
              amountIn: '100',
              amountOut: '248251.5',
              fee: '248.5',
              debit: '248500',
              earned: '1500',
              mid: '2500',
            },
          ],
          transfers: expect.arrayContaining([
            expect.objectContaining({ kind: 'deposit', asset: 'USDT', amount: '1.5' }),
          ]),
        },
        fees: { NTZS: '248.5' },
      },
      competitors: [{ name: 'rival', bidBps: 200, askBps: 200, fills: 0 }],
      nextRequests: [{ route: '*', kind: '500', count: 3 }],
      faults: { frozenMid: true },
    })
    expect(json['counters']).toMatchObject({ requests: 2 })
  })

  test('moves mid, competitors, liquidity and suspension', async () => {
    const { ask, goLive, inject } = await open()
    await goLive(100, 100)
    await inject({ print: { mid: '2600.5' }, competitor: { name: 'rival', bidBps: null, askBps: 20 } })
    const asked = (await ask('GET', '/api/v1/swap/rate?from=USDC&to=TZS_TOKEN&amount=1')).json
    expect(asked).toMatchObject({ midRate: 2600.5, spreadBps: 20 })
    await inject({
      jump: { bps: 100 },
      suspended: true,
      competitor: { name: 'rival', bidBps: null, askBps: null },
    })
    expect(await ask('POST', '/sandbox/swap', { from: 'USDC', to: 'NTZS', amount: '1' })).toMatchObject({
      json: { filled: false, reason: 'no-provider' },
    })
    expect((await ask('GET', '/rate')).json).toMatchObject({ midRateTZS: 2626.505 })
    await inject({ outage: { ms: 1_000 } })
    expect((await ask('GET', '/rate')).status).toBe(503)
  })

  test.each([
    ['/sandbox/advance', { ms: -1 }],
    ['/sandbox/advance', { ms: 1e300 }],
    ['/sandbox/advance', '{'],
    ['/sandbox/inject', { nonsense: 1 }],
    ['/sandbox/inject', { faults: { latency: { meanMs: 'slow' } } }],
    ['/sandbox/inject', { steal: { asset: 'USDC', amount: '1', from: 'pool' } }],
    ['/sandbox/inject', { externalTransfer: { asset: 'USDC', amount: '0' } }],
    ['/sandbox/inject', { poolShortfall: { asset: 'USDC', amount: 'x' } }],
    ['/sandbox/inject', { print: { mid: '-5' } }],
    ['/sandbox/inject', { print: { mid: '999999' }, jump: { bps: 1_000 }, freeze: true }],
    ['/sandbox/swap', { from: 'USDC', to: 'NTZS' }],
    ['/sandbox/swap', { from: 'USDC', to: 'NTZS', amount: '0.0000001' }],
  ])('%s refuses %j with a sentence and changes nothing', async (path, body) => {
    const { ask } = await open()
    const before = (await ask('GET', '/sandbox/state')).json
    expect(await ask('POST', path, body)).toMatchObject({ status: 400, json: { error: expect.any(String) } })
    expect((await ask('GET', '/sandbox/state')).json).toEqual(before)
  })
})
