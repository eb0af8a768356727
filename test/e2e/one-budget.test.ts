import { existsSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { openReader } from '../../src/store/open-reader.ts'
import { storeFiles } from '../../src/store/store-files.ts'
import { logLines } from './daemon/log-lines.ts'
import { openMarket, type Market } from './daemon/open-market.ts'
import { runMizani } from './daemon/run-mizani.ts'
import { API_KEY, endDaemons } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'

// One key, sixty requests a minute, and several programs that want them.

const LIMIT = { requestsPerMinute: 60 }
/** The daemon's own intervals, so that it leaves something of the minute. */
const PACING = {
  fillsIntervalMs: 5_000,
  rateIntervalMs: 20_000,
  balancesIntervalMs: 20_000,
  accountIntervalMs: 60_000,
  quoteCheckIntervalMs: 60_000,
}
let market: Market

afterEach(async () => {
  await endDaemons()
  await market.close()
})

const refusals = () => market.venue.model.state.counters['refused by the key limit'] ?? 0

describe('one key has one budget', () => {
  test('commands beside a running daemon read through it: all succeed, and the venue refuses no one', async () => {
    market = await openMarket(LIMIT, { venue: LIMIT, pacing: PACING })
    const daemon = market.start()
    await market.quoted(60, 70)
    const { relay } = storeFiles(market.folder.store)
    await until('the daemon takes reads', () => existsSync(relay))
    const args = ['--config', market.config, '--json']
    const ended = await Promise.all([
      runMizani(['check', ...args]),
      runMizani(['quote', ...args]),
      runMizani(['quote', ...args]),
    ])
    expect(ended.map(({ code, err }) => [code, err])).toEqual([0, 0, 0].map((code) => [code, '']))
    expect(refusals()).toBe(0)
    expect(await daemon.kill('SIGTERM')).toMatchObject({ code: 0 })
    expect(existsSync(relay)).toBe(false)
    const reader = openReader(market.folder.store)
    if (!reader.ok) throw new Error(reader.error.message)
    const elsewhere = [...reader.value.journal(1)].filter(({ event }) => event.type === 'requestsElsewhere')
    reader.value.close()
    expect(elsewhere.length).toBeGreaterThanOrEqual(8)

    // No one runs now: what the store and the commands before have sent is counted by the command itself.
    const alone = await runMizani(['quote', ...args])
    expect(alone.code).toBe(0)
    expect(existsSync(storeFiles(market.folder.store).requests)).toBe(true)
    expect(refusals()).toBe(0)
  })

  test('a stranger with the key is named as soon as the venue refuses what the daemon did not send', async () => {
    market = await openMarket(LIMIT, { venue: LIMIT, pacing: { ...PACING, fillsIntervalMs: 1_000 } })
    const daemon = market.start()
    await market.quoted(60, 70)
    const headers = { authorization: `Bearer ${API_KEY}` }
    for (let n = 0; n < 60; n++) await fetch(`${market.venue.url}/api/v1/mm/rate`, { headers })
    const began = performance.now()
    const named = () => logLines(daemon.output()).find(({ code }) => code === 'shared-key')
    await until('the daemon names the other program', () => named() !== undefined)
    const tookMs = performance.now() - began
    process.stdout.write(`a second program on the key is named after ${Math.round(tookMs)} ms\n`)
    expect(named()?.['msg']).toMatch(/another program uses/)
    expect(tookMs).toBeLessThan(15_000)
  })
})
