import fc from 'fast-check'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { joinFamilies, renderMetrics } from '../../../../../src/daemon/telemetry/metrics/exposition.ts'
import { createMetrics, observeRequest } from '../../../../../src/daemon/telemetry/metrics/metrics.ts'
import { anyCharacter } from '../../../../support/any-character.ts'
import { parseExposition } from '../../../../support/parse-exposition.ts'
import { exampleView } from '../example-view.ts'
import { textOf } from '../metrics-text.ts'

function runningPosition(name: string) {
  const metrics = createMetrics(name)
  metrics.showView(exampleView({ name }))
  metrics.decisionSeconds.observe(3e-6)
  observeRequest(metrics, 'readFills', 'ok', 0.02)
  return metrics
}

describe('the exposition', () => {
  test('of positions in several threads has each metric once, with the series of all of them in one group', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const [a, b, c, d, e] = names.map(runningPosition)
    const parts = [[a, b], [c], [d, e]].map((ones) => renderMetrics(ones.filter((one) => one !== undefined)))
    const families = parseExposition(textOf(joinFamilies(await Promise.all(parts))))
    const mid = families.find(({ name }) => name === 'mizani_mid_tzs')
    expect(mid?.series.map(({ labels, value }) => [labels['position'], value])).toEqual(
      names.map((name) => [name, 2600.5]),
    )
    for (const { series } of families) {
      const of = new Set(series.map(({ labels }) => labels['position']))
      expect([0, names.length]).toContain(of.size)
    }
  })

  test('is what prom-client itself writes of one position, line by line', async () => {
    const metrics = runningPosition('a')
    const ours = textOf(await renderMetrics([metrics]))
    metrics.registry.setDefaultLabels({ position: 'a' })
    const theirs = await metrics.registry.metrics()
    expect(ours).toBe(theirs.replaceAll('\n\n', '\n'))
  })

  test('counts the buckets of a histogram up to what is counted in all', async () => {
    const metrics = createMetrics('a')
    for (const seconds of [1e-6, 3e-6, 4e-6, 0.5, 700]) metrics.decisionSeconds.observe(seconds)
    const families = parseExposition(textOf(await renderMetrics([metrics])))
    const series = families.find(({ name }) => name === 'mizani_decision_seconds')?.series ?? []
    const buckets = series.filter(({ name }) => name.endsWith('_bucket')).map(({ value }) => value)
    expect(buckets).toEqual(buckets.toSorted((one, other) => one - other))
    expect([buckets[0], buckets.at(-2), buckets.at(-1)]).toEqual([1, 4, 5])
    expect(series.find(({ name }) => name.endsWith('_count'))?.value).toBe(5)
  })

  test('brings back every label, help and value whatever is in it', async () => {
    const word = fc.string({ unit: anyCharacter }).map((text) => text.replaceAll(/[\r\u2028\u2029]/g, ''))
    // The text form has one zero.
    const plainNumber = fc.double().map((value) => value + 0)
    await fc.assert(
      fc.asyncProperty(word, word, plainNumber, word, async (position, label, value, help) => {
        const registry = new Registry()
        const settings = { name: 'made_up', help: help || 'x', labelNames: ['label'], registers: [registry] }
        new Gauge(settings).set({ label }, value)
        const [family] = parseExposition(textOf(await renderMetrics([{ registry, position }])))
        expect(family?.series).toEqual([{ name: 'made_up', labels: { label, position }, value }])
      }),
      { numRuns: 300 },
    )
  })

  test('of a process has no label position, and a metric without series its head only', async () => {
    const registry = new Registry()
    new Counter({ name: 'plain_total', help: 'Counts.', registers: [registry] }).inc(2)
    registry.registerMetric(new Gauge({ name: 'none', help: 'Is none.', labelNames: ['a'], registers: [] }))
    registry.registerMetric(
      new Histogram({ name: 'sizes', help: 'Sizes.', labelNames: ['a'], buckets: [1], registers: [] }),
    )
    expect(textOf(await renderMetrics([{ registry, position: null }]))).toBe(
      [
        '# HELP plain_total Counts.',
        '# TYPE plain_total counter',
        'plain_total 2',
        '# HELP none Is none.',
        '# TYPE none gauge',
        '# HELP sizes Sizes.',
        '# TYPE sizes histogram',
        '',
      ].join('\n'),
    )
  })
})
