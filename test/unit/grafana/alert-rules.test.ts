import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { needs } from '../../support/needs.ts'

const RULES = fileURLToPath(new URL('../../../grafana/alerts/mizani.rules.yaml', import.meta.url))
const P = 'position="desk-1"'

/** Series -> values in promtool's notation, one a minute: `1x60` is 1 for an hour. */
type Market = Readonly<Record<string, string>>

/** An hour of a market that nobody has to look at. */
const HEALTHY: Market = {
  [`mizani_build_info{${P}, version="1"}`]: '1x60',
  [`mizani_trading_state{${P}, state="ACTIVE"}`]: '1x60',
  [`mizani_trading_state{${P}, state="HALTED"}`]: '0x60',
  [`mizani_fills_complete{${P}}`]: '1x60',
  [`mizani_unexplained{${P}, token="NTZS"}`]: '0x60',
  [`mizani_unexplained{${P}, token="USDC"}`]: '0x60',
  [`mizani_pnl_usd{${P}, component="edge"}`]: '0+0.5x60',
  [`mizani_pnl_usd{${P}, component="inventory"}`]: '0-2x60',
  [`mizani_fills_total{${P}, side="bid"}`]: '0+1x60',
  [`mizani_fills_total{${P}, side="ask"}`]: '0+1x60',
  [`mizani_quote_bps{${P}, side="bid"}`]: '60x60',
  [`mizani_quote_bps{${P}, side="ask"}`]: '60x60',
  [`mizani_quote_on{${P}, side="bid"}`]: '1x60',
  [`mizani_quote_on{${P}, side="ask"}`]: '0x60',
  [`mizani_mid_tzs{${P}}`]: '2600x60',
  [`mizani_mid_age_seconds{${P}}`]: '60+60x60',
  [`mizani_requotes_total{${P}, reason="repair"}`]: '0x60',
  [`mizani_requotes_total{${P}, reason="threshold"}`]: '0+2x60',
  [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="ok"}`]: '0+30x60',
  [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="auth"}`]: '0x60',
  [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="rate-limit"}`]: '0x60',
  [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="timeout"}`]: '0+1x60',
  [`mizani_request_budget_remaining{${P}}`]: '0 12 3 7x57',
  [`mizani_tape_recording{${P}}`]: '1x60',
  [`mizani_rfq_rejected_total{${P}, code="BAD_ORDER"}`]: '0x60',
  [`mizani_rfq_free{${P}, token="NTZS"}`]: '5000x60',
  [`mizani_rfq_free{${P}, token="USDC"}`]: '0x60',
  [`mizani_chain_lag_seconds{${P}}`]: '2 3 40 1x57',
  [`mizani_decision_seconds_bucket{${P}, le="0.00005"}`]: '0+100x60',
  [`mizani_decision_seconds_bucket{${P}, le="0.01"}`]: '0+100x60',
  [`mizani_decision_seconds_bucket{${P}, le="1"}`]: '0+100x60',
  [`mizani_decision_seconds_bucket{${P}, le="+Inf"}`]: '0+100x60',
}

const gone = (...names: readonly string[]): Market =>
  Object.fromEntries(
    Object.keys(HEALTHY)
      .filter((series) => names.some((name) => series.startsWith(`${name}{`)))
      .map((series) => [series, '1x20 stale']),
  )

/** What goes wrong, and the alerts that must fire for it, no others. */
const TROUBLES: readonly (readonly [string, Market, readonly string[]])[] = [
  ['nothing', {}, []],
  ['a halt', { [`mizani_trading_state{${P}, state="HALTED"}`]: '1x60' }, ['MizaniHalted']],
  ['a gap', { [`mizani_fills_complete{${P}}`]: '0x60' }, ['MizaniBooksIncomplete']],
  ['units that left', { [`mizani_unexplained{${P}, token="USDC"}`]: '-2x60' }, ['MizaniUnexplainedBalance']],
  ['an edge that falls', { [`mizani_pnl_usd{${P}, component="edge"}`]: '0-1x60' }, ['MizaniLosing']],
  ['a quote nobody knows', gone('mizani_quote_bps', 'mizani_quote_on'), ['MizaniQuoteUnknown']],
  [
    'orders instead of a quote',
    { ...gone('mizani_quote_bps', 'mizani_quote_on'), [`mizani_rfq_open{${P}, side="bid"}`]: '4x60' },
    [],
  ],
  ['both sides off', { [`mizani_quote_on{${P}, side="bid"}`]: '0x60' }, ['MizaniNoSideQuoted']],
  ['a mid of last week', { [`mizani_mid_age_seconds{${P}}`]: '200000x60' }, ['MizaniMidOld']],
  ['no mid', gone('mizani_mid_tzs', 'mizani_mid_age_seconds'), ['MizaniMidUnknown']],
  [
    'a venue that forgets',
    { [`mizani_requotes_total{${P}, reason="repair"}`]: '0+1x60' },
    ['MizaniRepairsOften'],
  ],
  [
    'a key that was revoked',
    { [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="auth"}`]: '0x57 1 2 3' },
    ['MizaniKeyRefused'],
  ],
  [
    'a venue that does not answer',
    { [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="timeout"}`]: '0+30x60' },
    ['MizaniVenueFailing'],
  ],
  [
    'a venue that says slower',
    { [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="rate-limit"}`]: '0+1x60' },
    ['MizaniRateLimited'],
  ],
  ['no request to spare', { [`mizani_request_budget_remaining{${P}}`]: '0x60' }, ['MizaniBudgetUsedUp']],
  ['a tape that is not written', { [`mizani_tape_recording{${P}}`]: '0x60' }, ['MizaniNotRecording']],
  [
    'orders that the venue does not take',
    { [`mizani_rfq_rejected_total{${P}, code="BAD_ORDER"}`]: '0x55 1x5' },
    ['MizaniOrderRejected'],
  ],
  [
    'tokens that left a wallet with promises',
    { [`mizani_rfq_free{${P}, token="USDC"}`]: '0x40 -3x20' },
    ['MizaniPromiseOverBalance'],
  ],
  ['a chain that stands still', { [`mizani_chain_lag_seconds{${P}}`]: '0+60x60' }, ['MizaniChainLag']],
  [
    'a strategy that thinks for long',
    {
      [`mizani_decision_seconds_bucket{${P}, le="0.00005"}`]: '0x60',
      [`mizani_decision_seconds_bucket{${P}, le="0.01"}`]: '0x60',
    },
    ['MizaniDecidesSlowly'],
  ],
]

/** A process that dies: every series ends, and the alert fires while its last figures are remembered. */
const DEATH: Market = Object.fromEntries(Object.entries(HEALTHY).map(([series]) => [series, '1x56 stale']))

const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
let rules = ''

beforeAll(() => {
  rules = join(folder, 'mizani.rules.yaml')
  writeFileSync(rules, readFileSync(RULES, 'utf8'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Lets promtool play the hour and say which alerts fire at its end. */
function check(market: Market, firing: readonly string[]): string {
  const series = Object.entries({ ...HEALTHY, ...market })
  const expected = firing.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 }))
  const file = join(folder, 'test.yaml')
  const played = {
    rule_files: [rules],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '1m',
        input_series: series.map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: '60m',
            exp_samples: expected,
          },
        ],
      },
    ],
  }
  writeFileSync(file, stringify(played, { lineWidth: 0 }))
  return execFileSync('promtool', ['test', 'rules', file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

describe.skipIf(needs('promtool'))('in an hour of a market', () => {
  test.each(TROUBLES)('with %s, exactly the alerts for it fire', (_what, market, firing) => {
    expect(check(market, firing)).toContain('SUCCESS')
  })

  test('that ends with the death of the process, the silence is told', () => {
    expect(check(DEATH, ['MizaniPositionSilent'])).toContain('SUCCESS')
  })

  test('every alert is played by one of these', () => {
    const file = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] }
    const alerts = file.groups.flatMap((group) => group.rules.map(({ alert }) => alert))
    const played = [...TROUBLES.flatMap(([, , firing]) => firing), 'MizaniPositionSilent']
    expect(alerts.sort()).toEqual(played.sort())
  })

  test('an alert that does not fire as expected fails this check', () => {
    expect(() => check({}, ['MizaniHalted'])).toThrow()
  })
})
