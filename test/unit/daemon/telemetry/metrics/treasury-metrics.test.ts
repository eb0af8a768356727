import { describe, expect, test } from 'vitest'
import { createTreasuryMetrics } from '../../../../../src/daemon/telemetry/metrics/treasury-metrics.ts'
import type { TreasuryFigures } from '../../../../../src/daemon/view/treasury/treasury-figures.ts'
import { exampleTreasury } from '../example-treasury.ts'
import { expectGolden } from '../../../../support/expect-golden.ts'
import { metricsText, seriesOf, seriesThatChanged } from '../metrics-text.ts'

async function seriesFor(figures: TreasuryFigures): Promise<readonly string[]> {
  const { registry, show } = createTreasuryMetrics()
  show(figures)
  return seriesOf(await metricsText({ registry, position: 'p' }))
}

const { holdings, runsDry, supply, now } = exampleTreasury()

/** What differs from the example. */
const SHOWN: Readonly<Record<string, Partial<TreasuryFigures>>> = {
  'no listener for webhooks': { webhooks: null },
  'nothing is known': {
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
  },
  'one place is unread, and the time at which a token runs dry has passed': {
    holdings: {
      ...holdings,
      places: holdings.places.map((one) => (one.place === 'pool' ? { ...one, onHand: null } : one)),
    },
    runsDry: runsDry.map((token) => ({ ...token, at: now - 1 })),
  },
}

describe('the metrics of a treasury', () => {
  test('are those of the golden file, others script against them; what is not known has no series', async () => {
    const example = await seriesFor(exampleTreasury())
    expect(example.filter((line) => !line.includes('position="p"}'))).toEqual([])
    let golden = example.join('\n')
    for (const [claim, figures] of Object.entries(SHOWN))
      golden += `\n\n${claim}\n${seriesThatChanged(example, await seriesFor(exampleTreasury(figures)))}`
    await expectGolden('treasury-metrics', golden)
  })

  test('have help text each, and a series only after the first reading', async () => {
    const { registry, show } = createTreasuryMetrics()
    for (const { name, values } of await registry.getMetricsAsJSON())
      expect({ name, values }).toEqual({ name, values: [] })
    show(exampleTreasury())
    for (const { name, help, values } of await registry.getMetricsAsJSON()) {
      expect({ name, series: values.length > 0 }).toEqual({ name, series: true })
      expect(`${name}: ${help}`).toMatch(/^mizani_\w+: [A-Z0-9].{20,}\.$/)
    }
  })
})
