import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PositionView } from '../../src/daemon/view/position-view.ts'
import { logLines } from './daemon/log-lines.ts'
import { openMarket, quoteOf, type Market } from './daemon/open-market.ts'
import type { Replay } from './daemon/replay-store.ts'
import { runMizani } from './daemon/run-mizani.ts'
import { runDaemon, type RunningDaemon } from './daemon/running-daemon.ts'
import { takeFiles } from './daemon/take-files.ts'
import { until } from './daemon/until.ts'

/** Quotes 50/55 until the mid passes this one, and then does what `mischief` says. */
function strategy(mischief: string, lastMid = 2575): string {
  return `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'mischief',
  params: z.strictObject({}),
  init: () => ({}),
  quote: ({ mid }) => {
    if (mid > ${lastMid}) ${mischief}
    return { bidBps: 50, askBps: 55, reasons: ['as usual'] }
  },
})
`
}

const MENDED = 'return { bidBps: 44, askBps: 45, reasons: ["mended"] }'
const CHOICE = { strategy: { use: './own.ts', params: {} } }

const suspended = (daemon: RunningDaemon, why: RegExp): Promise<PositionView> =>
  until(
    `the strategy is suspended because ${why}`,
    async () => {
      // While the worker is being replaced the position does not answer.
      const { status, body } = await daemon.get('/api/v1/state')
      const view = body as PositionView
      return status === 200 && why.test(view.strategy.suspended ?? '') && view
    },
    { otherwise: daemon.output },
  )

describe('a strategy that misbehaves', { timeout: 240_000 }, () => {
  let market: Market
  let daemon: RunningDaemon
  let lastMid = 2570

  beforeAll(async () => {
    market = await openMarket({}, CHOICE)
    market.folder.write('own.ts', strategy(MENDED))
    daemon = market.start()
    await market.quoted(50, 55)
  })

  afterAll(() => market.close())

  /** From a quote as usual to a mid at which it does that. */
  async function misbehave(mischief: string): Promise<void> {
    market.folder.write('own.ts', strategy(mischief, lastMid))
    await takeFiles(daemon)
    await market.quoted(50, 55)
    market.venue.model.inject({ print: { mid: lastMid + 2 } })
  }

  async function mend(): Promise<void> {
    market.folder.write('own.ts', strategy(MENDED, lastMid))
    await market.quoted(44, 45)
    expect((await daemon.post('resume', { why: 'mended' })).status).toBe(200)
    expect(await daemon.state()).toMatchObject({ tradingState: 'ACTIVE', strategy: { suspended: null } })
    lastMid += 4
  }

  /** What codes decided that are gone by now comes out otherwise, which is no error of the replay, but always alike. */
  async function replayed(): Promise<Replay> {
    const { code, out, err } = await runMizani(['replay', '--config', market.config, '--json'])
    const replay = JSON.parse(out) as Replay
    expect([code, err, replay.equal]).toEqual([1, '', false])
    expect(replay.warnings.join()).toContain('was edited since')
    return replay
  }

  const suspensions = () =>
    logLines(daemon.output()).filter((line) => line['event'] === 'strategySuspended').length

  test.each([
    ['throws', `throw new Error('no idea')`, /threw: .*no idea \(own\.ts, line \d+\)/],
    ['returns NaN', 'return { bidBps: NaN, askBps: 55, reasons: [] }', /bidBps = NaN/],
    ['returns nothing', 'return undefined as never', /did not return a quote/],
  ])(
    'and %s is suspended: safe quote, alert, the process lives; mended and resumed it trades on',
    async (_, mischief, why) => {
      const before = suspensions()
      await misbehave(mischief)
      const view = await suspended(daemon, why)
      await market.quoted(500, 500)
      expect(view.tradingState).toBe('REDUCING')
      expect(view.reasons.join()).toContain('strategy-suspended')
      expect((await daemon.get('/healthz')).status).toBe(200)
      await until('the alert is logged', () => suspensions() > before)
      await mend()
    },
  )

  test('and loops indefinitely is killed and suspended: safe quote, healthy again, and every replay gives the same digest', async () => {
    await misbehave('while (true);')
    await suspended(daemon, /did not answer within/)
    await market.quoted(500, 500)
    const { status, body } = await daemon.get('/healthz')
    expect({ status, body }).toMatchObject({ status: 200, body: { alive: true } })
    expect(daemon.child.exitCode).toBeNull()

    await daemon.kill('SIGKILL')
    const first = await replayed()
    expect(await replayed()).toEqual(first)

    // Another process on the same store: still suspended, and its own digest continues from the same chain.
    daemon = market.start()
    const view = await suspended(daemon, /did not answer within/)
    expect(await quoteOf(market.venue)).toMatchObject({ bidBps: 500, askBps: 500 })
    expect(view.lastSeq).toBeGreaterThan(first.to)
    await mend()
  })

  test('and loops indefinitely when the process is killed in the middle of it does not hang the next start', async () => {
    await misbehave('while (true);')
    // It hangs from the rate's answer on; the supervisor takes it away after a second.
    await until('the position is silent', async () => (await daemon.get('/api/v1/state')).status === 503, {
      otherwise: daemon.output,
    })
    await daemon.kill('SIGKILL')
    daemon = market.start()
    await suspended(daemon, /did not answer within/)
    await market.quoted(500, 500)
    await daemon.kill('SIGKILL')
    expect(await replayed()).toEqual(await replayed())
  })
})

describe.concurrent('a strategy that misbehaves', () => {
  test('and loops at a mid that codes before it were asked about is suspended after one restart', async () => {
    await using market = await openMarket({}, CHOICE)
    market.folder.write('own.ts', strategy(MENDED))
    await using daemon = market.start()
    await market.quoted(50, 55)
    for (const bidBps of [41, 42, 43]) {
      market.folder.write('own.ts', strategy(`return { bidBps: ${bidBps}, askBps: 45, reasons: [] }`))
      await takeFiles(daemon)
      market.venue.model.inject({ print: { mid: 2580 } })
      await market.quoted(bidBps, 45)
      market.venue.model.inject({ print: { mid: 2568 } })
      await market.quoted(50, 55)
    }
    market.folder.write('own.ts', strategy('while (true);'))
    await takeFiles(daemon)
    market.venue.model.inject({ print: { mid: 2580 } })
    await suspended(daemon, /did not answer within/)
    await market.quoted(500, 500)
    expect(daemon.output().match(/restarting from the journal/g)).toHaveLength(1)
  })

  test('does not touch the other positions of its process', async () => {
    await using market = await openMarket(
      {},
      { ...CHOICE, http: { token: '!env MIZANI_HTTP_TOKEN' } },
      'bad-desk',
    )
    market.folder.write('own.ts', strategy('while (true);'))
    await using good = await openMarket({}, {}, 'good-desk')
    await using daemon = runDaemon({ configs: [good.config, market.config] })
    await Promise.all([market.quoted(50, 55), good.quoted(60, 70)])
    const { startedAt, lastSeq } = await daemon.state('good-desk')
    market.venue.model.inject({ print: { mid: 2580 } })
    await until('the bad one is suspended', async () => {
      const { status, body } = await daemon.get('/api/v1/state?position=bad-desk')
      return status === 200 && (body as PositionView).strategy.suspended !== null
    })
    await market.quoted(500, 500)
    const view = await daemon.state('good-desk')
    expect(view).toMatchObject({ startedAt, tradingState: 'ACTIVE', strategy: { suspended: null } })
    expect(view.lastSeq).toBeGreaterThan(lastSeq)
    expect(await quoteOf(good.venue)).toEqual({ bidBps: 60, askBps: 70, isActive: true })
    expect((await daemon.post('halt', { position: 'bad-desk', why: 'enough' })).status).toBe(200)
    expect((await daemon.state('good-desk')).tradingState).toBe('ACTIVE')
  })

  test('on the very first question leaves the safe quote at the venue', async () => {
    await using market = await openMarket({ spread: { bidBps: 50, askBps: 50 } }, CHOICE)
    market.folder.write('own.ts', strategy('').replace('if (mid > 2575)', 'while (mid > 0);'))
    await using daemon = market.start()
    await suspended(daemon, /did not answer within/)
    await market.quoted(500, 500)
    expect((await daemon.state()).strategy.suspended).toMatch(/did not answer/)
  })
})
