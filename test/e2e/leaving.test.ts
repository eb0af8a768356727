import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { openMarket, quoteOf, type Market, type StandingQuote } from './daemon/open-market.ts'
import { runDaemon, type RunningDaemon } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'

/** Ends it as a service manager does and gives what was left behind. */
async function leave(market: Market, daemon: RunningDaemon, signal: NodeJS.Signals = 'SIGTERM') {
  const began = performance.now()
  const exit = await daemon.kill(signal)
  const tookMs = performance.now() - began
  const lastLine = daemon.output().trimEnd().split('\n').at(-1) ?? ''
  return { exit, tookMs, lastLine, quote: await quoteOf(market.venue) }
}

describe.concurrent('at SIGTERM', () => {
  test('onExit widen is left (SIGINT), the exit line says what the venue confirmed, the exit code is 0', async () => {
    await using market = await openMarket({}, { quote: { onExit: 'widen', safeBps: 450 } })
    const daemon = market.start()
    await market.quoted(60, 70)
    await until('the daemon knows it', async () => (await daemon.state()).quote.status === 'confirmed')
    const { exit, tookMs, lastLine, quote } = await leave(market, daemon, 'SIGINT')
    expect(exit).toEqual({ code: 0, signal: null })
    expect(tookMs).toBeLessThan(10_000)
    expect(lastLine).toMatch(/^desk-1: widened .* confirmed .* \(bid 450 ask 450 bps\)$/)
    expect(quote).toMatchObject({ bidBps: 450, askBps: 450, isActive: true })
  })

  test('a venue that does not answer is not waited for beyond ten seconds, and nothing is claimed', async () => {
    await using market = await openMarket()
    const daemon = market.start()
    await market.quoted(60, 70)
    await daemon.state()
    market.venue.model.inject({ outage: { ms: 3_600_000 } })
    const { tookMs, lastLine, quote } = await leave(market, daemon)
    expect(tookMs).toBeLessThan(10_000)
    expect(lastLine).toMatch(/^desk-1: NOT confirmed/)
    expect(quote).toMatchObject({ bidBps: 60, askBps: 70 })
  })

  test('that comes while the daemon is starting no quote is left that no one watches', async () => {
    await using market = await openMarket()
    const daemon = market.start()
    // The first tight quote stands before the console listens.
    await market.quoted(60, 70)
    const { exit, lastLine, quote } = await leave(market, daemon)
    expect(exit).toEqual({ code: 0, signal: null })
    expect(lastLine).toMatch(/^desk-1: widened .* confirmed/)
    expect(quote).toMatchObject({ bidBps: 500, askBps: 500 })
  })

  test('a daemon whose lines no one reads any longer trades on, and leaves in good order', async () => {
    const port = await freePort()
    await using market = await openMarket({}, { http: { port } })
    const daemon = market.start()
    daemon.child.stdout?.destroy()
    daemon.child.stderr?.destroy()
    await market.quoted(60, 70)
    await until('it listens', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      return answer?.ok
    })
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await quoteOf(market.venue)).toMatchObject({ bidBps: 500, askBps: 500 })
  })
})

describe('of a process with two positions', () => {
  let one: Market
  let two: Market
  let daemon: RunningDaemon

  beforeAll(async () => {
    const http = { token: null }
    one = await openMarket({}, { http, quote: { onExit: 'keep' } }, 'desk-1')
    two = await openMarket({}, { http, quote: { onExit: 'deactivate' } }, 'desk-2')
    daemon = runDaemon({ configs: [one.config, two.config] })
    await Promise.all([one.quoted(60, 70), two.quoted(60, 70)])
  })

  afterAll(async () => {
    await one.close()
    await two.close()
  })

  test('the second that is HALTED is lifted with the token that lies in its own store', async () => {
    await daemon.url()
    const token = readFileSync(join(two.folder.store, 'operator.token'), 'utf8')
    const order = { position: 'desk-2', why: 'to see whether it reaches' }
    expect((await daemon.post('halt', order, token)).status).toBe(200)
    await until('only the second is taken out', async () => !(await quoteOf(two.venue)).isActive)
    expect(await quoteOf(one.venue)).toEqual({ bidBps: 60, askBps: 70, isActive: true })
    expect((await daemon.post('resume', order, token)).status).toBe(200)
    await two.quoted(60, 70)
  })

  test('each leaves as its own configuration says (onExit keep, onExit deactivate), the exit lines say what the venue confirmed, the exit code is 0', async () => {
    for (const position of ['desk-1', 'desk-2'])
      await until('the daemon knows its quote', async () => {
        return (await daemon.state(position)).quote.status === 'confirmed'
      })
    const { exit, tookMs, quote } = await leave(one, daemon)
    expect(exit).toEqual({ code: 0, signal: null })
    expect(tookMs).toBeLessThan(10_000)
    const lastLines = daemon.output().trimEnd().split('\n').slice(-2).toSorted()
    expect(lastLines).toEqual([
      'desk-1: left unchanged (bid 60 ask 70 bps)',
      expect.stringMatching(/^desk-2: deactivated, confirmed by/),
    ])
    expect(quote).toEqual({ bidBps: 60, askBps: 70, isActive: true })
    expect((await quoteOf(two.venue)).isActive).toBe(false)
  })
})

describe.concurrent('HALTED', () => {
  test('by an operator leaves each position as its onHalt has it (safe, deactivate), outlives kill -9 and is lifted only by resume', async () => {
    const desks = [
      {
        name: 'desk-1',
        market: await openMarket({}, { risk: { onHalt: 'safe' } }, 'desk-1'),
        left: { bidBps: 500, askBps: 500, isActive: true },
      },
      {
        name: 'desk-2',
        market: await openMarket({}, { risk: { onHalt: 'deactivate' } }, 'desk-2'),
        left: { isActive: false },
      },
    ]
    const configs = desks.map(({ market }) => market.config)
    const first = runDaemon({ configs })
    for (const { name: position, market, left } of desks) {
      await market.quoted(60, 70)
      const order = { position, who: 'asha', why: 'the feed looks wrong' }
      expect((await first.post('halt', order, 'a guess')).status).toBe(401)
      expect((await first.state(position)).tradingState).toBe('ACTIVE')
      expect((await first.post('halt', order)).status).toBe(200)
      await until('the venue shows it', () => isLeft(market, left))
    }
    await first.kill('SIGKILL')

    const again = runDaemon({ configs })
    for (const { name: position, market, left } of desks) {
      const halted = await until('it knows the venue again', async () => {
        const view = await again.state(position)
        return view.quote.status === 'confirmed' && view.reconciliation.state === 'reconciled' && view
      })
      expect(halted.tradingState).toBe('HALTED')
      expect(halted.reasons.join()).toContain('operator (asha)')
      expect(await isLeft(market, left)).toBe(true)
      expect((await again.post('resume', { position, who: 'asha', why: 'it was fine' })).status).toBe(200)
      await market.quoted(60, 70)
      expect((await again.state(position)).tradingState).toBe('ACTIVE')
    }
    await again.kill('SIGTERM')
    for (const { market } of desks) await market.close()
  })

  test('because the key was revoked is latched over a restart; the token of the store lifts it', async () => {
    await using market = await openMarket({}, { http: { token: null } })
    const first = market.start()
    await market.quoted(60, 70)
    const keys = market.venue.model.options as { apiKey: string }
    const { apiKey } = keys
    keys.apiKey = 'mm_another'
    const view = await until('the daemon is halted', async () => {
      const seen = await first.state()
      return seen.tradingState === 'HALTED' && seen
    })
    expect(view.reasons.join()).toMatch(/the key \(401/)
    expect(first.child.exitCode).toBeNull()
    await first.kill('SIGKILL')

    // With the key still refused nothing can be made safe: it says so and ends.
    expect((await market.start().exit).code).toBe(4)
    keys.apiKey = apiKey
    await using again = market.start()
    await until('the position is taken out', async () => !(await quoteOf(market.venue)).isActive)
    expect((await again.state()).tradingState).toBe('HALTED')
    const token = join(market.folder.store, 'operator.token')
    expect(statSync(token).mode & 0o777).toBe(0o600)
    expect((await again.post('resume', { why: 'a new key' }, readFileSync(token, 'utf8'))).status).toBe(200)
    await market.quoted(60, 70)
  })
})

async function isLeft(market: Market, left: Partial<StandingQuote>): Promise<boolean> {
  const quote = await quoteOf(market.venue)
  return Object.entries(left).every(([key, value]) => quote[key as keyof typeof quote] === value)
}
