import { describe, expect, test } from 'vitest'
import {
  createTreasuryMetrics,
  WEBHOOK_REFUSALS,
} from '../../../../../src/daemon/telemetry/metrics/treasury-metrics.ts'
import type { TreasuryFigures } from '../../../../../src/daemon/view/treasury/treasury-figures.ts'
import { exampleTreasury } from '../example-treasury.ts'
import { metricsText } from '../metrics-text.ts'

/** Name and own labels, as issued: others script against them. */
const ISSUED = {
  mizani_treasury_reading_age_seconds: [],
  mizani_treasury_on_hand: ['place', 'token'],
  mizani_treasury_in_transit: ['token'],
  mizani_treasury_reserved: ['token'],
  mizani_treasury_claimed: ['token'],
  mizani_treasury_counted: ['token'],
  mizani_treasury_band: ['bound', 'token'],
  mizani_treasury_runs_dry_seconds: ['token'],
  mizani_treasury_stopped: [],
  mizani_treasury_intents: ['stage'],
  mizani_treasury_intents_late: [],
  mizani_treasury_claims_open: [],
  mizani_treasury_approvals_waiting: [],
  mizani_treasury_approval_age_seconds: [],
  mizani_treasury_residual_tzs: [],
  mizani_treasury_supply_alarm: [],
  mizani_treasury_supply_difference_tzs: [],
  mizani_treasury_supply_difference_age_seconds: [],
  mizani_treasury_supply_age_seconds: [],
  mizani_treasury_exit_share: [],
  mizani_treasury_exit_tzs: ['part'],
  mizani_treasury_rail_failures: ['route'],
  mizani_treasury_rail_rested: ['route'],
  mizani_treasury_webhooks_total: ['outcome'],
  mizani_treasury_calendar_left_seconds: [],
}

function registryOf(figures: TreasuryFigures) {
  const { registry, show } = createTreasuryMetrics()
  show(figures)
  return registry
}

async function linesOf(figures: TreasuryFigures): Promise<readonly string[]> {
  const registry = registryOf(figures)
  const text = await metricsText({ registry, position: 'p' })
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

const named = (lines: readonly string[], name: string) =>
  lines.filter((line) => line.startsWith(`mizani_treasury_${name}{`))

describe('the metrics of a treasury', () => {
  test('are exactly those that were issued, each with its labels and a sentence that says what it means', async () => {
    const json = await registryOf(exampleTreasury()).getMetricsAsJSON()
    expect(json.map(({ name }) => name).sort()).toEqual(Object.keys(ISSUED).sort())
    for (const { name, help, values } of json) {
      expect({ name, series: values.length > 0 }).toEqual({ name, series: true })
      expect(`${name}: ${help}`).toMatch(/^mizani_\w+: [A-Z0-9].{20,}\.$/)
      for (const { labels } of values)
        expect([name, ...Object.keys(labels).sort()]).toEqual([name, ...ISSUED[name as keyof typeof ISSUED]])
    }
  })

  test('have no series before a reading sets them', async () => {
    const { registry } = createTreasuryMetrics()
    for (const { name, values } of await registry.getMetricsAsJSON())
      expect({ name, values }).toEqual({ name, values: [] })
  })

  test('show each figure under its own labels and the position', async () => {
    const lines = await linesOf(exampleTreasury())
    for (const line of [
      'reading_age_seconds{position="p"} 12.5',
      'on_hand{place="treasury",token="USDC",position="p"} 201.5',
      'in_transit{token="NTZS",position="p"} 31',
      'reserved{token="NTZS",position="p"} 32',
      'claimed{token="NTZS",position="p"} 33',
      'band{token="NTZS",bound="refill_below",position="p"} 41',
      'band{token="NTZS",bound="target",position="p"} 42',
      'band{token="NTZS",bound="skim_above",position="p"} 43',
      'counted{token="NTZS",position="p"} 44',
      'runs_dry_seconds{token="NTZS",position="p"} 3600',
      'stopped{position="p"} 0',
      'intents{stage="awaiting_approval",position="p"} 1',
      'intents{stage="silent",position="p"} 2',
      'intents_late{position="p"} 2',
      'claims_open{position="p"} 5',
      'approvals_waiting{position="p"} 1',
      'approval_age_seconds{position="p"} 90',
      'residual_tzs{position="p"} 0',
      'supply_alarm{position="p"} 1',
      'supply_difference_tzs{position="p"} -7',
      'supply_difference_age_seconds{position="p"} 60',
      'supply_age_seconds{position="p"} 61',
      'exit_share{position="p"} 0.75',
      'exit_tzs{part="at_hand",position="p"} 51',
      'exit_tzs{part="from_pool",position="p"} 52',
      'exit_tzs{part="waiting",position="p"} 53',
      'rail_failures{route="swap",position="p"} 2',
      'rail_rested{route="swap",position="p"} 1',
      'rail_rested{route="payout",position="p"} 0',
      'webhooks_total{outcome="kept",position="p"} 6',
      'webhooks_total{outcome="forged",position="p"} 8',
      'calendar_left_seconds{position="p"} -259200',
    ])
      expect(lines).toContain(`mizani_treasury_${line}`)
  })

  test('count every outcome of a webhook from zero, and none without a listener', async () => {
    const lines = named(await linesOf(exampleTreasury()), 'webhooks_total')
    expect(lines).toHaveLength(3 + WEBHOOK_REFUSALS.length)
    expect(lines).toContain('mizani_treasury_webhooks_total{outcome="stale",position="p"} 0')
    expect(named(await linesOf(exampleTreasury({ webhooks: null })), 'webhooks_total')).toEqual([])
  })

  test('show nothing as zero that is not known', async () => {
    const { holdings, runsDry, supply } = exampleTreasury()
    const lines = await linesOf(
      exampleTreasury({
        holdings: {
          ...holdings,
          at: null,
          places: holdings.places.map((place) => ({ ...place, onHand: null })),
          tokens: holdings.tokens.map((token) => ({ ...token, band: null })),
        },
        runsDry: runsDry.map((token) => ({ ...token, at: null })),
        open: [],
        residualTzs: null,
        supply: { ...supply, difference: null, reconciledAt: null, at: null },
        exit: null,
      }),
    )
    for (const name of [
      'reading_age_seconds',
      'on_hand',
      'runs_dry_seconds',
      'band',
      'counted',
      'approval_age_seconds',
      'residual_tzs',
      'supply_difference_tzs',
      'supply_difference_age_seconds',
      'supply_age_seconds',
      'exit_share',
      'exit_tzs',
    ])
      expect({ name, lines: named(lines, name) }).toEqual({ name, lines: [] })
    expect(lines).toContain('mizani_treasury_approvals_waiting{position="p"} 0')
  })

  test('show no counted amount while one of its places is unread, and no time below zero', async () => {
    const { holdings, runsDry, now } = exampleTreasury()
    const places = holdings.places.map((one) => (one.place === 'pool' ? { ...one, onHand: null } : one))
    const past = runsDry.map((token) => ({ ...token, at: now - 1 }))
    const lines = await linesOf(exampleTreasury({ holdings: { ...holdings, places }, runsDry: past }))
    expect(named(lines, 'counted')).toEqual([])
    expect(lines).toContain('mizani_treasury_runs_dry_seconds{token="NTZS",position="p"} 0')
  })
})
