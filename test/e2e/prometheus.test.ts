import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { TEST_ACCOUNTS } from '../../src/simulator/sandbox/chain/addresses.ts'
import {
  asked,
  dashboards,
  dashboardUses,
  missing,
  parseScrape,
  RULES_FILE,
  ruleUses,
  type Scraped,
} from '../support/grafana-uses.ts'
import { needs } from '../support/needs.ts'
import { endDaemons, runDaemon, type RunningDaemon } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'
import {
  MAKER_KEY_NAME,
  openCustodyDesk,
  openDesk,
  type CustodyDesk,
  type Desk,
} from './prometheus/open-desk.ts'
import { PARTNER_KEY, treasuryAccount } from './treasury/open-treasury-market.ts'
import { runPrometheus, type RunningPrometheus } from './prometheus/run-prometheus.ts'
import { shortenRules } from './prometheus/shorten-rules.ts'

/** What is empty while nothing is wrong: these panels show what went wrong, by name. */
const EMPTY_IN_PEACE = [
  'panel Requests that did not succeed, per minute',
  'panel Refusals of risk per hour',
  'panel Alerts that it raised, per hour',
  'panel Orders rejected per hour',
  'panel Messages to people per hour',
  'annotation Halts',
  'panel Runs dry in',
  'panel Oldest approval',
  'panel Webhooks per hour',
  'panel Heartbeats to the outside service per hour',
  // Only a position whose strategy reads fairShift has this, after an update of the mid.
  'panel Offset and error of the feeds',
  // Only a position with a calibration has these.
  'of the week',
  'panel Measures outside of their band',
  'panel Age of the scorecard',
  // Only a position with a challenger has these.
  'panel Challenger less champion, a day',
  'panel Days compared',
  'panel Challenger suspended',
  'panel Our spread and the best one',
  // Only a fleet has these.
  "panel Share of the fleet's limits",
  'panel Problems with files',
]

/**
 * Series of a treasury that exist only while a token runs dry or an approval waits, or with a listener for webhooks; and those of a
 * calibration, of a challenger, of a rival and of hours of memory.
 */
const NOT_IN_PEACE =
  /mizani_best_competitor_bps|mizani_memory_growth|mizani_treasury_(runs_dry_seconds|approval_age_seconds|webhooks_total)|mizani_(scorecard|challenger)_|mizani_feed_(offset_bps|error_bps|delay_days|left_out)/

describe.skipIf(needs('prometheus') || needs('anvil'))('a real Prometheus beside a real daemon', () => {
  let pooled: Desk
  let custody: CustodyDesk
  let daemon: RunningDaemon
  let prometheus: RunningPrometheus
  let scrape: Scraped

  beforeAll(async () => {
    custody = await openCustodyDesk('own-wallet')
    pooled = await openDesk('pooled', ({ path }, venue) => ({
      // It reads and plans, and sends nothing.
      treasury: {
        ...treasuryAccount(venue),
        mode: 'plan',
        policy: {
          bands: { NTZS: { target: '4000000', refillBelow: '3000000', skimAbove: '90000000' } },
          routes: ['bank-deposit', 'rebalance'],
        },
        pollEveryMs: 500,
      },
      inventory: { limits: { NTZS: { min: '1000', max: null }, USDC: { min: null, max: '100000' } } },
      record: { path: join(path, 'tape') },
      feeds: [{ name: 'peg', fixed: { mid: '2500' } }],
      notify: { webhook: { url: '!env MIZANI_TEST_HOOK', hmacKey: '!env MIZANI_TEST_HOOK_KEY' } },
    }))
    daemon = runDaemon({
      configs: [pooled.config, custody.config],
      env: {
        [MAKER_KEY_NAME]: TEST_ACCOUNTS.maker.key,
        PARTNER_KEY,
        MIZANI_TEST_HOOK: 'http://127.0.0.1:9/',
        MIZANI_TEST_HOOK_KEY: 'a-key-of-more-than-sixteen-letters',
      },
    })
    const url = await daemon.url()
    prometheus = await runPrometheus(url, shortenRules(readFileSync(RULES_FILE, 'utf8')))
    const order = await until('orders stand', async () => {
      const { rfq } = await daemon.state('own-wallet')
      const open = rfq?.orders.filter(({ phase }) => phase === 'open') ?? []
      return open.length === 2 && open[0]
    })
    await fillOnChain(custody, order.hash)
    // Trades and a changed configuration, spread over enough scrapes for a rate.
    for (let round = 0; round < 6; round++) {
      pooled.venue.model.swap({ from: 'USDC', to: 'NTZS', amountIn: 25_000_000n })
      pooled.venue.model.swap({ from: 'NTZS', to: 'USDC', amountIn: 20_000n * 10n ** 18n })
      await daemon.post('reload', { position: 'pooled' })
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    await until('the fills are booked', async () => (await daemon.state('pooled')).fills.total === 12)
    const text = await (await fetch(`${url}/metrics`)).text()
    scrape = parseScrape(text)
  }, 60_000)

  afterAll(async () => {
    await prometheus?.close()
    await endDaemons()
    await pooled?.close()
    await custody?.close()
  })

  test('finds every metric and every label that a panel, a mark or an alert names', () => {
    // This daemon runs no fleet, which would have them: test/e2e/fleet/alerts.test.ts asks one.
    const uses = [...dashboardUses(), ...ruleUses()].filter(
      ({ expr }) => !expr.includes('mizani_fleet_') && !NOT_IN_PEACE.test(expr),
    )
    // Which values a label can have is the business of the vocabularies: one daemon meets few of them.
    const absent = uses
      .flatMap((use) => missing(use, scrape))
      .filter((problem) => !/ is never /.test(problem))
    expect([...new Set(absent)]).toEqual([])
  })

  test('answers every query of every dashboard with something, but those about what went wrong', async () => {
    const answered = new Set<string>()
    const isExpected = (where: string) => !EMPTY_IN_PEACE.some((title) => where.endsWith(title))
    // What grows shows in the second reading after it began to.
    await expect
      .poll(async () => {
        for (const { where, expr } of dashboardUses())
          if (!answered.has(where) && (await prometheus.query(soon(expr))).length > 0) answered.add(where)
        return dashboardUses().flatMap(({ where }) =>
          isExpected(where) && !answered.has(where) ? [where] : [],
        )
      })
      .toEqual([])
    expect(answered.size).toBeGreaterThan(70)
  })

  test('knows both positions where a dashboard asks for their names, and tells what the daemon tells', async () => {
    const names = await prometheus.query('group by (position) (mizani_build_info)')
    expect(new Set(names.map(({ metric }) => metric['position']))).toEqual(new Set(['own-wallet', 'pooled']))
    const overview = dashboards().find(({ uid }) => uid === 'mizani-overview')
    const answer = async (title: string, position: string) => {
      const panel = overview?.panels.find((one) => one.title === title && one.type !== 'row')
      const samples = await prometheus.query(soon(panel?.targets?.[0]?.expr ?? ''))
      return samples.find(({ metric }) => metric['position'] === position)?.value[1]
    }
    for (const position of ['pooled', 'own-wallet']) {
      expect([position, await answer('Am I quoting?', position)]).toEqual([position, '2'])
      expect([position, await answer('Trading state', position)]).toEqual([position, '0'])
      expect([position, await answer('Books', position)]).toEqual([position, '1'])
      expect([position, await answer('Tokens that no one can explain', position)]).toEqual([position, '0'])
    }
    for (const figure of ['mizani_store_free_bytes', 'mizani_decision_seconds_count']) {
      const [sample] = await prometheus.query(`${figure}{position="pooled"}`)
      expect([figure, Number(sample?.value[1])]).toEqual([figure, expect.toSatisfy((read) => read > 0)])
    }
    expect(Number(await answer('Edge per dollar traded', 'pooled'))).toBeGreaterThan(30)
    expect(Number(await answer('PnL, USD', 'pooled'))).toBeGreaterThan(0)
  })

  test('fires no alert while nothing is wrong', async () => {
    // On a machine that is busy with other tests decisions are slow in truth.
    const firing = (await prometheus.alerts()).filter(
      ({ labels }) => labels['alertname'] !== 'MizaniDecidesSlowly',
    )
    expect(firing).toEqual([])
  })
})

/** As asked after some seconds of life: the steps of a day are not there yet. */
function soon(expr: string): string {
  return asked(expr).replaceAll(/\[1d:\d+m\]/g, '[1m:1s]')
}

/** Someone takes a part of an order that stands. */
async function fillOnChain({ venue }: CustodyDesk, orderHash: string | null): Promise<void> {
  const answer = await fetch(`${venue.url}/sandbox/chain/fill`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderHash, takerAmount: '1000000' }),
  })
  expect(await answer.json()).toMatchObject({ filled: true })
}
