import { renameSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logLines } from './daemon/log-lines.ts'
import { openMarket, quoteOf, type Market } from './daemon/open-market.ts'
import { type RunningDaemon } from './daemon/running-daemon.ts'
import { takeFiles } from './daemon/take-files.ts'
import { until } from './daemon/until.ts'

const fixed = (bidBps: number, askBps: number) => ({
  strategy: { use: 'fixed-spread', params: { bidBps, askBps } },
})

const linesWith = (daemon: RunningDaemon, message: string) =>
  logLines(daemon.output()).filter(({ msg }) => msg === message)
const refusals = (daemon: RunningDaemon) =>
  linesWith(daemon, 'configuration not reloaded; the old one is kept')
/** What was asked for, and not because a file changed. */
const reloads = (daemon: RunningDaemon) =>
  linesWith(daemon, 'configuration reloaded as a whole').filter(({ cause }) => cause === 'asked to').length

/** Waits for a refusal in the log and gives what it says. */
const refusal = (daemon: RunningDaemon, count = 1): Promise<string> =>
  until(
    'the log says why the configuration was not reloaded',
    () => {
      const lines = refusals(daemon)
      return lines.length >= count && String(lines[count - 1]?.['why'])
    },
    { otherwise: daemon.output },
  )

describe('a changed configuration', () => {
  let market: Market
  let daemon: RunningDaemon

  beforeAll(async () => {
    market = await openMarket()
    daemon = market.start()
    await market.quoted(60, 70)
  })

  afterAll(() => market.close())

  test('is in the quote of the venue within seconds, without a signal and without a restart', async () => {
    const { startedAt } = await daemon.state()
    market.folder.configure(fixed(81, 92))
    const began = performance.now()
    await market.quoted(81, 92)
    expect(performance.now() - began).toBeLessThan(8_000)
    expect(await daemon.state()).toMatchObject({
      startedAt,
      strategy: { params: { bidBps: 81, askBps: 92 } },
    })

    // Another strategy, another target, by a file that replaces the old one as editors do.
    const next = market.folder.write('next.yaml', '')
    market.folder.configure({ ...fixed(33, 34), quote: { safeBps: 400 } })
    renameSync(market.config, next)
    renameSync(next, market.config)
    await market.quoted(33, 34)
    expect((await daemon.post('pause', { why: 'to see the safe quote' })).status).toBe(200)
    await market.quoted(400, 400)
    expect((await daemon.post('resume', { why: 'seen' })).status).toBe(200)
    await market.quoted(33, 34)
  })

  test('is taken at SIGHUP, and so is a strategy whose code was changed; code that loops, in a quote or in the schema of its parameters, is not', async () => {
    const code = (quote: string) => `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'own',
  params: z.strictObject({}),
  init: () => ({}),
  quote: () => ${quote},
})
`
    market.folder.write('own.ts', code('({ bidBps: 21, askBps: 22, reasons: [] })'))
    market.folder.configure({ strategy: { use: './own.ts', params: {} } })
    await takeFiles(daemon)
    await market.quoted(21, 22)
    await until('this is logged', () => reloads(daemon) === 1)
    daemon.child.kill('SIGHUP')
    await until('SIGHUP reloads', () => reloads(daemon) === 2)
    const { length: refused } = refusals(daemon)
    market.folder.write('own.ts', code('{ while (true); }'))
    expect(await refusal(daemon, refused + 1)).toMatch(/strategy\.use: /)
    const loopingSchema = 'z.strictObject({}).refine(() => { while (true); })'
    market.folder.write('own.ts', code('null').replace('z.strictObject({})', loopingSchema))
    expect(await refusal(daemon, refused + 2)).toMatch(/strategy\.use: /)
    expect(await quoteOf(market.venue)).toMatchObject({ bidBps: 21, askBps: 22 })
    expect((await daemon.state()).strategy.suspended).toBeNull()
    market.folder.write('own.ts', code('({ bidBps: 23, askBps: 24, reasons: [] })'))
    daemon.child.kill('SIGHUP')
    await market.quoted(23, 24)
  })
})
