import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  HistoryAnswer,
  NoticesAnswer,
  ParametersAnswer,
  PreviewAnswer,
} from '../../src/daemon/console/answers.ts'
import type { PositionView } from '../../src/daemon/view/position-view.ts'
import { openMarket, quoteOf, type Market } from './daemon/open-market.ts'
import { replayStore } from './daemon/replay-store.ts'
import { type RunningDaemon } from './daemon/running-daemon.ts'
import { takeFiles } from './daemon/take-files.ts'
import { until } from './daemon/until.ts'

const set = (changes: object, why = 'a test') => ({ changes, who: 'ann', why })

/** Reads a daemon's stream as it comes. */
async function follow(
  daemon: RunningDaemon,
  query = '',
): Promise<{ readonly text: () => string; readonly ended: Promise<void> }> {
  const { body } = await fetch(`${await daemon.url()}/api/v1/stream${query}`)
  const decoder = new TextDecoder()
  let text = ''
  const ended = (async () => {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  })().catch(() => undefined)
  return { text: () => text, ended }
}

describe('the console API of a daemon', { timeout: 120_000 }, () => {
  let market: Market
  let daemon: RunningDaemon
  const streams: Promise<void>[] = []

  beforeAll(async () => {
    market = await openMarket()
    daemon = market.start()
    await market.quoted(60, 70)
  })

  afterAll(() => market.close())

  test('refuses what may not be set by hand and what is wrong, and keeps everything as it was', async () => {
    const refused = async (changes: object) => {
      const previewed = await daemon.post('preview', { changes })
      const reloaded = await daemon.post('reload', set(changes))
      expect([previewed.status, reloaded.status]).toEqual([200, 409])
      const { ok, after, problem } = previewed.body as PreviewAnswer
      expect([ok, after]).toEqual([false, null])
      expect((reloaded.body as { answer: string }).answer).toContain(problem)
      return problem
    }
    expect(await refused({ 'risk.maxMidAgeMs': 1 })).toContain('risk.maxMidAgeMs')
    // The answer does not wait for the journal.
    const told = await until('the refusal is a notice', async () => {
      const { body } = await daemon.get('/api/v1/notices?kind=operator')
      return (body as NoticesAnswer).notices[0]
    })
    expect(told).toMatchObject({
      severity: 'warning',
      text: expect.stringMatching(/^operator \(ann\): .* refused \(.*\); risk\.maxMidAgeMs: /),
    })
    expect(await refused({ 'venue.apiKey': 'mm_a_secret' })).toContain('venue.apiKey')
    expect(JSON.stringify((await daemon.get('/api/v1/notices')).body)).not.toContain('mm_a_secret')
    expect(await refused({ 'withdraw.enabled': true })).toContain('withdraw.enabled')
    expect(await refused({ 'strategy.use': './evil.ts' })).toContain('strategy.use')
    expect(await refused({ 'strategy.params': { inner: { use: './evil.ts' } } })).toContain('strategy.params')
    expect(await refused({ 'strategy.params.bidBps': 'wide' })).toContain('strategy.params.bidBps: ')
    expect(await refused({ 'strategy.params.nothing': 1 })).toContain('strategy.params.nothing: ')
    expect(await refused({ 'quote.safeBps': 9_999 })).toContain('quote.safeBps: ')
    expect(await quoteOf(market.venue)).toMatchObject({ bidBps: 60, askBps: 70 })
    expect(await daemon.state()).toMatchObject({ strategy: { params: { bidBps: 60, askBps: 70 } } })
    expect((await daemon.get('/api/v1/parameters')).body).toMatchObject({ changed: [] })
    const { marks } = (await daemon.get('/api/v1/history')).body as HistoryAnswer
    expect(marks.filter(({ text }) => text.includes('refused'))).toEqual([])
  })

  test('previews a parameter, sets it, journals who and why, and forgets it again', async () => {
    const changes = { 'strategy.params.bidBps': 44 }
    const preview = await daemon.post('preview', { changes })
    expect(preview.body).toMatchObject({
      ok: true,
      problem: null,
      before: { bidBps: 60, askBps: 70, tradingState: 'ACTIVE' },
      after: { bidBps: 44, askBps: 70, tradingState: 'ACTIVE' },
    })
    expect(await quoteOf(market.venue)).toMatchObject({ bidBps: 60, askBps: 70 })
    const { lastSeq } = await daemon.state()
    expect((await daemon.get('/api/v1/parameters')).body).toMatchObject({
      params: { bidBps: 60 },
      changed: [],
    })

    expect(await daemon.post('reload', set(changes, 'tighter bid'))).toMatchObject({ status: 200 })
    await market.quoted(44, 70)
    const parameters = (await daemon.get('/api/v1/parameters')).body as ParametersAnswer
    expect(parameters.changed).toEqual([{ path: 'strategy.params.bidBps', file: 60, now: 44, given: 44 }])
    expect(parameters.schema).toMatchObject({ type: 'object', properties: { bidBps: {} } })
    const told = (await daemon.get('/api/v1/notices?kind=operator')).body as NoticesAnswer
    expect(told.notices[0]).toMatchObject({
      kind: 'operator',
      text: expect.stringMatching(/\(ann\): .* accepted \(.*\); strategy\.params\.bidBps = 44$/),
    })
    expect(Number(told.notices[0]?.id.split('.')[0])).toBeGreaterThan(lastSeq)
    const { marks } = (await daemon.get('/api/v1/history')).body as HistoryAnswer
    expect(marks.at(-1)).toMatchObject({ kind: 'reload', text: expect.stringContaining('tighter bid') })

    expect(await daemon.post('reload', { fromFile: true })).toMatchObject({ status: 200 })
    await market.quoted(60, 70)
    expect((await daemon.get('/api/v1/parameters')).body).toMatchObject({ changed: [] })
  })

  test('refuses to activate while HALTED, shows why to everybody, and lifts it with resume', async () => {
    const stream = await follow(daemon, '?position=desk-1')
    expect((await daemon.post('halt', { who: 'ann', why: 'odd prices' })).status).toBe(200)
    await until('the stream shows the halt', () =>
      /"tradingState":"HALTED","reasons":\["halted: halted by operator \(ann\): odd prices/.test(
        stream.text(),
      ),
    )
    const activated = await daemon.post('activate', {})
    expect(activated).toMatchObject({ status: 409, body: { accepted: false } })
    expect((activated.body as { answer: string }).answer).toContain('resume first')
    expect((await daemon.post('preview', { changes: {} })).body).toMatchObject({
      ok: true,
      before: { tradingState: 'HALTED' },
      after: { tradingState: 'HALTED' },
    })
    expect((await daemon.post('resume', { who: 'ann', why: 'looked' })).status).toBe(200)
    await market.quoted(60, 70)
    const { marks } = (await daemon.get('/api/v1/history')).body as HistoryAnswer
    expect(marks.map(({ kind }) => kind).slice(-2)).toEqual(['halt', 'resume'])
    streams.push(stream.ended)
  })

  test('keeps what was set when a worker has to be replaced, streams through it until it ends, and a replay of all of it is equal', async () => {
    market.folder.write(
      'own.ts',
      `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'own',
  params: z.strictObject({ bidBps: z.number() }),
  init: () => ({}),
  quote(context, _state, { bidBps }) {
    while (context.standing.bidBps === 44);
    return { bidBps, askBps: 70, reasons: ['<b>own</b>'] }
  },
})
`,
    )
    market.folder.configure({ strategy: { use: './own.ts', params: { bidBps: 60 } } })
    await takeFiles(daemon)
    const stream = await follow(daemon)
    expect(await daemon.post('reload', set({ 'strategy.params.bidBps': 44 }))).toMatchObject({ status: 200 })
    // The quote stands, the strategy hangs, its worker is replaced, and the strategy is suspended.
    const suspended = async () => {
      const { status, body } = await daemon.get('/api/v1/state')
      return status === 200 && (body as PositionView).strategy.suspended !== null
    }
    await until('the strategy is suspended', suspended, { otherwise: daemon.output })
    expect(await daemon.state()).toMatchObject({ strategy: { params: { bidBps: 44 } } })
    expect((await daemon.get('/api/v1/parameters')).body).toMatchObject({
      changed: [{ path: 'strategy.params.bidBps', file: 60, now: 44, given: 44 }],
    })
    await until('the stream continues', () => stream.text().includes('did not answer within'), {
      otherwise: () => stream.text().slice(-500),
    })
    expect(stream.text()).toContain('event: notice')
    await daemon.kill('SIGTERM')
    // Open streams do not keep the daemon, and end with it.
    await Promise.all([...streams, stream.ended])
    expect(await replayStore(market.config)).toMatchObject({ equal: true, warnings: [] })
  })
})
