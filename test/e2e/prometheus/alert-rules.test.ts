import { beforeAll, describe, expect, test } from 'vitest'
import { rules } from '../../support/grafana-uses.ts'
import { needs } from '../../support/needs.ts'
import { findings, firedAlerts, UP, type Case, type Market } from './play-alerts.ts'
import { HEALTHY_TREASURY, TREASURY_TROUBLES } from './treasury-market.ts'

const P = 'position="desk-1"'
const FLEET = 'job="mizani", instance="a:9464"'

/** An hour and a half of a market that no one has to look at. */
const HEALTHY: Market = {
  [UP]: '1x90',
  'up{job="node", instance="a:9100"}': '0x90',
  // A worker that starts again is missing for a scrape or two.
  [`mizani_scrape_positions_missing{${FLEET}}`]: '0x80 40x1 0x9',
  [`mizani_fleet_limit_usd{${FLEET}, limit="maxLossUsd"}`]: '1000x90',
  [`mizani_fleet_usd{${FLEET}, limit="maxLossUsd"}`]: '799x90',
  [`mizani_fleet_limit_usd{${FLEET}, limit="maxOutstandingUsd"}`]: '0x90',
  [`mizani_fleet_usd{${FLEET}, limit="maxOutstandingUsd"}`]: '0x90',
  [`mizani_fleet_problems{${FLEET}, about="file"}`]: '0x50 2x3 0x37',
  // Its heap rises between two collections.
  [`mizani_memory_growth_bytes_per_hour{${FLEET}}`]: '1e7x20 5e6x70',
  [`mizani_fleet_problems{${FLEET}, about="folder"}`]: '0x90',
  [`mizani_build_info{${P}, version="1"}`]: '1x90',
  [`mizani_active{${P}}`]: '1x90',
  [`mizani_trading_state{${P}, state="ACTIVE"}`]: '1x90',
  [`mizani_trading_state{${P}, state="REDUCING"}`]: '0x60 1x20 0x10',
  [`mizani_trading_state{${P}, state="HALTED"}`]: '0x90',
  [`mizani_still_quoted{${P}}`]: '0x90',
  [`mizani_reconciled{${P}}`]: '1x90',
  [`mizani_unreconciled{${P}, token="NTZS"}`]: '0x90',
  [`mizani_unreconciled{${P}, token="USDC"}`]: '0x90',
  [`mizani_pnl_usd{${P}, component="edge"}`]: '0+0.5x90',
  [`mizani_pnl_usd{${P}, component="inventory"}`]: '0-2x90',
  [`mizani_pnl_tzs{${P}, component="spread_capture"}`]: '0+1000x90',
  [`mizani_pnl_tzs{${P}, component="inventory"}`]: '0-2000x90',
  [`mizani_inventory{${P}, token="NTZS"}`]: '40000000x90',
  [`mizani_inventory{${P}, token="USDC"}`]: '16000x90',
  [`mizani_inventory_limit{${P}, token="USDC", bound="min"}`]: '1000x90',
  [`mizani_inventory_limit{${P}, token="USDC", bound="max"}`]: '17000x90',
  [`mizani_fills_total{${P}, side="bid"}`]: '0+1x90',
  [`mizani_fills_total{${P}, side="ask"}`]: '0+1x90',
  [`mizani_quote_bps{${P}, side="bid"}`]: '60x90',
  [`mizani_quote_bps{${P}, side="ask"}`]: '60x90',
  [`mizani_quote_on{${P}, side="bid"}`]: '1x90',
  [`mizani_quote_on{${P}, side="ask"}`]: '1x60 0x30',
  [`mizani_mid_tzs{${P}}`]: '2600x90',
  [`mizani_mid_age_seconds{${P}}`]: '60+60x90',
  [`mizani_requotes_total{${P}, reason="repair"}`]: '0x90',
  [`mizani_requotes_total{${P}, reason="threshold"}`]: '0+2x90',
  [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="ok"}`]: '0+30x90',
  [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="auth"}`]: '0x90',
  [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="rate-limit"}`]: '0x90',
  [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="timeout"}`]: '0+1x90',
  [`mizani_request_budget_remaining{${P}}`]: '0 12 3 7x87',
  [`mizani_clock_offset_seconds{${P}, clock="venue"}`]: '0.6x90',
  [`mizani_clock_offset_seconds{${P}, clock="chain"}`]: '0x90',
  [`mizani_alerts_total{${P}, severity="critical", code="auth"}`]: '0x90',
  [`mizani_alerts_total{${P}, severity="critical", code="drawdown"}`]: '0x88 1 1',
  [`mizani_alerts_total{${P}, severity="critical", code="quote-stuck"}`]: '3x90',
  [`mizani_alerts_total{${P}, severity="warning", code="fill-undone"}`]: '0+1x90',
  [`mizani_notifications_total{${P}, channel="slack", outcome="sent"}`]: '0+1x90',
  [`mizani_notifications_total{${P}, channel="slack", outcome="failed"}`]: '2x90',
  [`mizani_store_free_bytes{${P}}`]: '5e9x90',
  [`mizani_tape_recording{${P}}`]: '1x90',
  [`mizani_rfq_rejected_total{${P}, code="BAD_ORDER"}`]: '0x90',
  [`mizani_rfq_free{${P}, token="NTZS"}`]: '5000x90',
  [`mizani_rfq_free{${P}, token="USDC"}`]: '0x90',
  [`mizani_chain_lag_seconds{${P}}`]: '2 3 40 1x87',
  [`mizani_decision_seconds_bucket{${P}, le="0.00005"}`]: '0+100x90',
  [`mizani_decision_seconds_bucket{${P}, le="0.01"}`]: '0+100x90',
  [`mizani_decision_seconds_bucket{${P}, le="1"}`]: '0+100x90',
  [`mizani_decision_seconds_bucket{${P}, le="+Inf"}`]: '0+100x90',
  ...HEALTHY_TREASURY,
}

const gone = (...names: readonly string[]): Market =>
  Object.fromEntries(
    Object.keys(HEALTHY)
      .filter((series) => names.some((name) => series.startsWith(`${name}{`)))
      .map((series) => [series, '1x20 stale']),
  )

/** In self-custody: nothing pooled, orders for quotes. */
const custody = (bids: string): Market => ({
  ...gone('mizani_quote_bps', 'mizani_quote_on'),
  [`mizani_active{${P}}`]: '0x90',
  [`mizani_rfq_open{${P}, side="bid"}`]: bids,
  [`mizani_rfq_open{${P}, side="ask"}`]: '0x90',
})

const HALT: Market = {
  [`mizani_trading_state{${P}, state="HALTED"}`]: '1x90',
  [`mizani_trading_state{${P}, state="REDUCING"}`]: '0x90',
  [`mizani_active{${P}}`]: '0x90',
}

const TROUBLES: readonly Case[] = [
  ['nothing', {}, []],
  ['a halt, which takes the position out of the market', HALT, ['MizaniHalted']],
  [
    'a halt that the venue has not confirmed',
    { ...HALT, [`mizani_still_quoted{${P}}`]: '1x90' },
    ['MizaniHalted', 'MizaniStillQuoted'],
  ],
  ['a gap', { [`mizani_reconciled{${P}}`]: '0x90' }, ['MizaniBooksIncomplete']],
  [
    'a gap that closed again',
    {
      [`mizani_reconciled{${P}}`]: '1x80 0x8 1x2',
      [`mizani_unreconciled{${P}, token="USDC"}`]: '0x80 -2x8 0x2',
    },
    [],
  ],
  ['units that left', { [`mizani_unreconciled{${P}, token="USDC"}`]: '-2x90' }, ['MizaniUnexplainedBalance']],
  ['an edge that falls', { [`mizani_pnl_usd{${P}, component="edge"}`]: '0-1x90' }, ['MizaniLosing']],
  [
    'an edge that falls while no one trades, as of a late correction',
    {
      [`mizani_pnl_usd{${P}, component="edge"}`]: '0-1x90',
      [`mizani_fills_total{${P}, side="bid"}`]: '7x90',
      [`mizani_fills_total{${P}, side="ask"}`]: '7x90',
    },
    [],
  ],
  [
    'a PnL that fell by a fortieth of what is held',
    { [`mizani_pnl_tzs{${P}, component="inventory"}`]: '0x30 -2040000x60' },
    ['MizaniDrawdown'],
  ],
  [
    'a PnL that fell by a sixtieth of it',
    { [`mizani_pnl_tzs{${P}, component="inventory"}`]: '0x30 -1360000x60' },
    [],
  ],
  [
    'a token at its minimum',
    { [`mizani_inventory{${P}, token="USDC"}`]: '16000x60 1000x30' },
    ['MizaniInventoryAtLimit'],
  ],
  [
    'a token over its maximum',
    { [`mizani_inventory{${P}, token="USDC"}`]: '16000x60 17001x30' },
    ['MizaniInventoryAtLimit'],
  ],
  ['a position taken out of the market', { [`mizani_active{${P}}`]: '1x70 0x20' }, ['MizaniQuotingStopped']],
  [
    'both sides off for a quarter of an hour',
    { [`mizani_quote_on{${P}, side="bid"}`]: '1x75 0x15' },
    ['MizaniQuotingStopped'],
  ],
  ['a side that stays off', { [`mizani_quote_on{${P}, side="ask"}`]: '0x90' }, ['MizaniSideOffLong']],
  [
    'a rule that holds it at the safe quote',
    { [`mizani_trading_state{${P}, state="REDUCING"}`]: '0x50 1x40' },
    ['MizaniReducing'],
  ],
  ['a quote no one knows', gone('mizani_quote_bps', 'mizani_quote_on'), ['MizaniQuoteUnknown']],
  ['orders instead of a quote', custody('4x90'), []],
  ['orders instead of a quote, and none that stands', custody('4x70 0x20'), ['MizaniQuotingStopped']],
  ['a mid of last week', { [`mizani_mid_age_seconds{${P}}`]: '200000x90' }, ['MizaniMidOld']],
  ['no mid', gone('mizani_mid_tzs', 'mizani_mid_age_seconds'), ['MizaniMidUnknown']],
  [
    'a venue that forgets',
    { [`mizani_requotes_total{${P}, reason="repair"}`]: '0+1x90' },
    ['MizaniRepairsOften'],
  ],
  [
    'a key that was revoked',
    { [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="auth"}`]: '0x87 1 2 3' },
    ['MizaniKeyRefused'],
  ],
  [
    'a key that was revoked, where the first refusal is the first sample of its series',
    {
      [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="auth"}`]: '_x88 1 1',
      [`mizani_alerts_total{${P}, severity="critical", code="auth"}`]: '0x88 1 1',
    },
    ['MizaniKeyRefused'],
  ],
  [
    'a venue that does not answer',
    { [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="timeout"}`]: '0+30x90' },
    ['MizaniVenueFailing'],
  ],
  [
    'a venue that says slower',
    { [`mizani_venue_requests_total{${P}, route="GET /fills", outcome="rate-limit"}`]: '0+1x90' },
    ['MizaniRateLimited'],
  ],
  ['no request to spare', { [`mizani_request_budget_remaining{${P}}`]: '0x90' }, ['MizaniBudgetUsedUp']],
  [
    'a clock that is behind',
    { [`mizani_clock_offset_seconds{${P}, clock="venue"}`]: '7x90' },
    ['MizaniClockOff'],
  ],
  [
    'a clock that is ahead',
    { [`mizani_clock_offset_seconds{${P}, clock="venue"}`]: '-7x90' },
    ['MizaniClockOff'],
  ],
  [
    'an alert that only the position knows of',
    { [`mizani_alerts_total{${P}, severity="critical", code="quote-stuck"}`]: '3x87 4x3' },
    ['MizaniAlertRaised'],
  ],
  [
    'a channel that takes no messages',
    { [`mizani_notifications_total{${P}, channel="slack", outcome="failed"}`]: '2x80 3x10' },
    ['MizaniNotificationsFailing'],
  ],
  ['a disk that fills', { [`mizani_store_free_bytes{${P}}`]: '5e9x80 4e8x10' }, ['MizaniDiskNearlyFull']],
  ['a tape that is not written', { [`mizani_tape_recording{${P}}`]: '0x90' }, ['MizaniNotRecording']],
  [
    'orders that the venue does not take',
    { [`mizani_rfq_rejected_total{${P}, code="BAD_ORDER"}`]: '0x85 1x5' },
    ['MizaniOrderRejected'],
  ],
  [
    'tokens that left a wallet with promises',
    { [`mizani_rfq_free{${P}, token="USDC"}`]: '0x70 -3x20' },
    ['MizaniPromiseOverBalance'],
  ],
  ['a chain that stands still', { [`mizani_chain_lag_seconds{${P}}`]: '0+60x90' }, ['MizaniChainLag']],
  [
    'a strategy that thinks for long',
    {
      [`mizani_decision_seconds_bucket{${P}, le="0.00005"}`]: '0x90',
      [`mizani_decision_seconds_bucket{${P}, le="0.01"}`]: '0x90',
    },
    ['MizaniDecidesSlowly'],
  ],
  [
    'memory that grows by 400 MB a day',
    { [`mizani_memory_growth_bytes_per_hour{${FLEET}}`]: '17e6x90' },
    ['MizaniMemoryGrows'],
  ],
  [
    'a fleet at four fifths of a limit',
    { [`mizani_fleet_usd{${FLEET}, limit="maxLossUsd"}`]: '799x80 800x10' },
    ['MizaniFleetLimitNear'],
  ],
  [
    'a fleet that has used a limit up and does not exceed it',
    { [`mizani_fleet_usd{${FLEET}, limit="maxLossUsd"}`]: '1000x90' },
    ['MizaniFleetLimitNear'],
  ],
  [
    'a fleet beyond a limit',
    { [`mizani_fleet_usd{${FLEET}, limit="maxLossUsd"}`]: '799x88 1000.01x2' },
    ['MizaniFleetLimit'],
  ],
  [
    'orders in a fleet that may have none',
    { [`mizani_fleet_usd{${FLEET}, limit="maxOutstandingUsd"}`]: '5x90' },
    ['MizaniFleetLimit'],
  ],
  [
    'files of a fleet that stay wrong',
    { [`mizani_fleet_problems{${FLEET}, about="file"}`]: '0x80 2x10' },
    ['MizaniFleetFiles'],
  ],
  [
    'positions that do not answer',
    { [`mizani_scrape_positions_missing{${FLEET}}`]: '0x80 40x10' },
    ['MizaniPositionsMissing'],
  ],
  ['a target that Prometheus no longer knows', { [UP]: '1x80 stale' }, ['MizaniDaemonDown']],
  [
    'a position of the process that is gone',
    {
      'mizani_build_info{position="desk-2", version="1"}': '1x80 stale',
      'mizani_mid_tzs{position="desk-2"}': '1x80 stale',
    },
    ['MizaniPositionSilent'],
  ],
  ...TREASURY_TROUBLES,
]

/** A process that dies: every series ends, and the alert fires while its last figures are remembered. */
const DEATH: Case = [
  'the death of the process',
  {
    ...Object.fromEntries(Object.entries(HEALTHY).map(([series]) => [series, '1x86 stale'])),
    [UP]: '1x86 0x4',
  },
  ['MizaniDaemonDown', 'MizaniPositionSilent'],
]

describe.skipIf(needs('promtool'))('in an hour and a half of a market', () => {
  let found: ReadonlyMap<Case, string>
  beforeAll(() => {
    found = findings(HEALTHY, [...TROUBLES, DEATH])
  })

  test.each(TROUBLES.map((trouble) => [trouble[0], trouble] as const))(
    'with %s, exactly the alerts for it fire',
    (_what, trouble) => {
      expect(found.get(trouble)).toBe('')
    },
  )

  test('the alert for a silent position fires when the process dies', () => {
    expect(found.get(DEATH)).toBe('')
  })

  test(
    'every text is filled in, and has the position or the process, what is live and the entry of the runbook',
    { timeout: 300_000 },
    () => {
      const fired = firedAlerts(HEALTHY, [...TROUBLES, DEATH])
      expect(fired.length).toBeGreaterThan(TROUBLES.length - 8)
      for (const alert of fired) {
        expect(alert).not.toMatch(/\{\{|<no value>|error expanding/)
        expect(alert).toMatch(
          / live="(the position is inactive|((bid|ask) \d+ bps )+|unknown, or no side is on|the (last spread|quotes) of .*?)"/,
        )
        const [, of = ''] = /[{ ](?:position|instance)="([^"]*)"/.exec(alert) ?? []
        expect(alert.split(' summary="')[1]).toContain(of)
        expect(alert).toMatch(/ runbook_url="docs\/(?:[a-z]+-)?runbook\.md#[a-z-]+"/)
      }
      expect(fired.join('')).toContain('runbook_url="docs/runbook.md#quote-stuck"')
    },
  )

  test('every alert is played by one of these', () => {
    const played = new Set(TROUBLES.flatMap(([, , alerts]) => alerts))
    expect(
      rules()
        .map(({ alert }) => alert)
        .sort(),
    ).toEqual([...played].sort())
  })

  test('an alert that does not fire as expected fails its case and no other, and so does one too many', () => {
    const healthy: Case = ['nothing', {}, []]
    const missing: Case = ['an alert that is missing', {}, ['MizaniHalted']]
    const surplus: Case = ['an alert too many', HALT, []]
    const alone: Case = ['an alert too many, alone', { [UP]: '1x80 stale' }, []]
    const judged = findings(HEALTHY, [healthy, missing, surplus, alone])
    expect(judged.get(healthy)).toBe('')
    expect(judged.get(missing)).toMatch(/exp: .*MizaniHalted.*\n +got: nil/)
    expect(judged.get(surplus)).toMatch(/exp: nil\n +got: .*MizaniHalted/)
    expect(judged.get(alone)).toMatch(/got: .*MizaniDaemonDown/)
  })
})
