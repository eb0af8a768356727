import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { parseScrape } from '../support/grafana-uses.ts'
import { openReader } from '../../src/store/open-reader.ts'
import { openMarket, quoteOf } from './daemon/open-market.ts'
import { replayStore } from './daemon/replay-store.ts'
import { until } from './daemon/until.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

/** A bank that answers `shown`, or hangs where that is null. */
async function openBank(): Promise<{ url: string; shown: string | null }> {
  const bank = { url: '', shown: '{"rates":{"TZS":2500}}' as string | null }
  const server = createServer((_request, response) => {
    if (bank.shown !== null) response.end(bank.shown)
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  bank.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`
  return bank
}

const READ_MS = 1_000

test(
  'a venue that lies by 4 % gets the safe quote within two seconds, a lying bank too, and the journal replays both',
  { timeout: 120_000 },
  async () => {
    const bank = await openBank()
    const http = { url: bank.url, path: 'rates.TZS', timeoutMs: 500 }
    const feeds = [{ name: 'bank', http, everyMs: READ_MS, staleAfterMs: 5_000 }]
    await using market = await openMarket(
      { scenario: 'calm' },
      { feeds, risk: { maxMidStepBps: null, maxMidMoveBpsPerHour: null, maxMidMoveBpsPerDay: null } },
    )
    const mid = Number(market.venue.model.state.mid) / 1e18
    const shows = (rate: number) => (bank.shown = JSON.stringify({ rates: { TZS: rate } }))
    shows(mid)
    const daemon = market.start()
    await market.quoted(60, 70)
    expect((await daemon.state()).reference).toMatchObject({
      standsAlone: false,
      feeds: [{ status: 'live' }],
    })

    const isSafe = () => quoteOf(market.venue).then(({ bidBps, askBps }) => bidBps === 500 && askBps === 500)
    const timed = async (what: string) => {
      const began = performance.now()
      await until(what, isSafe)
      return performance.now() - began
    }
    market.venue.model.inject({ print: { mid: (mid * 1.04).toFixed(2) } })
    expect(await timed('the safe quote after the lie of the venue')).toBeLessThan(2_000)
    expect((await daemon.state()).reasons.join()).toContain('reference-deviation')
    market.venue.model.inject({ print: { mid: mid.toFixed(2) } })
    await market.quoted(60, 70)

    shows(mid * 0.8)
    expect(await timed('the safe quote after the lie of the bank')).toBeLessThan(READ_MS + 2_000)
    shows(mid)
    await market.quoted(60, 70)

    // It hangs: dropped when it is stale, and trading continues with the venue's word alone.
    bank.shown = null
    await until('the bank is dropped', async () => {
      const { reference } = await daemon.state()
      return reference.standsAlone && reference.feeds[0]?.status === 'silent'
    })
    expect((await quoteOf(market.venue)).bidBps).toBe(60)
    const scrape = parseScrape(String((await daemon.get('/metrics')).body))
    expect([...scrape.keys()]).toEqual(expect.arrayContaining(['mizani_feeds_live', 'mizani_feed_tzs']))
    await daemon.kill('SIGTERM')

    const reader = openReader(market.folder.store)
    if (!reader.ok) throw new Error(reader.error.message)
    const received = [...reader.value.journal(1)].filter(({ event }) => event.type.startsWith('reference'))
    reader.value.close()
    // Readings came every second; what did not change left a heartbeat, and no address is in the journal.
    expect(received.length).toBeLessThan(60)
    expect(JSON.stringify(received.map(({ event }) => event.type))).toContain('referenceFailed')
    expect((await replayStore(market.config)).equal).toBe(true)
  },
)
