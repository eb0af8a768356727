import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '../support/free-port.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openMarket, quoteOf } from './daemon/open-market.ts'
import { runMizani } from './daemon/run-mizani.ts'
import { until } from './daemon/until.ts'

type Mood = 'well' | '401' | '503' | 'nothing' | 'nonsense'
const NONSENSE = '{"ok":true,"bidBps":"soon","isActive":"perhaps"}'

/** Between daemon and venue: it lets everything pass, or answers everything itself. */
async function moodyProxy(target: string) {
  let mood: Mood = 'well'
  const server: Server = createServer((incoming, answer) => {
    if (mood === 'nothing') return
    if (mood !== 'well') {
      incoming.resume()
      const status = mood === 'nonsense' ? 200 : Number(mood)
      answer
        .writeHead(status, { 'content-type': 'application/json' })
        .end(mood === 'nonsense' ? NONSENSE : '{}')
      return
    }
    const { method, headers, url } = incoming
    const passed = request(new URL(url ?? '/', target), { method, headers }, (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers)
      told.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turn: (next: Mood) => void (mood = next),
    close: () => void (server.closeAllConnections(), server.close()),
  }
}

describe.each(['401', '503', 'nothing', 'nonsense'] as const)('At a venue that answers with %s', (mood) => {
  test('no halt and no deactivation claims success, and both do once the venue is well', async () => {
    const market = await openMarket()
    const proxy = await moodyProxy(market.venue.url)
    const config = market.folder.configure({
      venue: { baseUrl: proxy.url },
      quote: { drainMs: 0 },
      http: { port: await freePort() },
    })
    onTestFinished(async () => {
      proxy.close()
      await market.close()
    })
    const daemon = market.start()
    await market.quoted(60, 70)
    await until('it is known', async () => (await daemon.state()).live.stopped === false)
    proxy.turn(mood)

    const began = performance.now()
    const halted = await daemon.post('halt', { reason: 'a theft' })
    expect(performance.now() - began).toBeLessThan(4_000)
    expect(halted).toMatchObject({
      status: 200,
      body: { accepted: true, confirmed: false, exitCode: 4, live: { bidBps: 60, askBps: 70 } },
    })
    const { tradingState, live } = await daemon.state()
    expect([tradingState, live.banner]).toEqual(['HALTED', expect.stringMatching(/^HALTED - .*60\/70$/)])
    expect((await daemon.get('/metrics')).body).toMatch(/^mizani_still_quoted\{position="desk-1"\} 1$/m)
    expect(await daemon.post('deactivate')).toMatchObject({ body: { accepted: true, confirmed: false } })
    const printed = await runMizani(['halt', '--config', config, '--why', 'again', '--wait', '1'])
    expect([printed.code, printed.err]).toEqual([4, expect.stringContaining('NOT confirmed')])
    expect(await quoteOf(market.venue)).toMatchObject({ bidBps: 60, askBps: 70, isActive: true })

    proxy.turn('well')
    await until(
      'the venue has it',
      async () => (await daemon.post('halt')).status === 200 && (await daemon.state()).live.stopped,
    )
    expect(await daemon.post('halt')).toMatchObject({
      body: { confirmed: true, exitCode: 0, live: { banner: null } },
    })
    const standing = await quoteOf(market.venue)
    expect(!standing.isActive || Math.min(standing.bidBps, standing.askBps) === 500).toBe(true)
  }, 120_000)
})
