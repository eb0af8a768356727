import { describe, expect, test } from 'vitest'
import { type MetricFamily, renderMetrics } from '../../../../../src/daemon/telemetry/metrics/exposition.ts'
import { createMetrics } from '../../../../../src/daemon/telemetry/metrics/metrics.ts'
import { createScrape, type MetricsSource } from '../../../../../src/daemon/telemetry/metrics/scrape.ts'
import { parseExposition } from '../../../../support/parse-exposition.ts'
import { exampleView } from '../example-view.ts'

/** A thread with these positions, as its answer crosses to another one. */
function thread(...names: readonly string[]): MetricsSource {
  const all = names.map((name) => {
    const metrics = createMetrics(name)
    metrics.showView(exampleView({ name }))
    return metrics
  })
  return { positions: all.length, read: async () => structuredClone(await renderMetrics(all)) }
}

const seriesOf = (text: string, name: string) =>
  parseExposition(text).find((family) => family.name === name)?.series ?? []

describe('a scrape', () => {
  test('has the positions of all threads under one head, with the process beside them', async () => {
    const { text, contentType } = await createScrape(() => [thread('a', 'b'), thread('c')])()
    expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(seriesOf(text, 'mizani_mid_tzs').map(({ labels }) => labels['position'])).toEqual(['a', 'b', 'c'])
    expect(seriesOf(text, 'process_resident_memory_bytes')).toHaveLength(1)
    expect(seriesOf(text, 'mizani_scrape_positions_missing')).toMatchObject([{ labels: {}, value: 0 }])
  })

  test('leaves out a thread that does not answer, counts its positions as missing, and has them when it does', async () => {
    let isHung = true
    const { read } = thread('b', 'c', 'd')
    const hung: MetricsSource = { positions: 3, read: async (ms) => (isHung ? null : read(ms)) }
    const scrape = createScrape(() => [thread('a'), hung])
    const { text } = await scrape()
    expect(seriesOf(text, 'mizani_mid_tzs')).toHaveLength(1)
    expect(seriesOf(text, 'mizani_scrape_positions_missing')).toMatchObject([{ value: 3 }])
    isHung = false
    const { text: later } = await scrape()
    expect(seriesOf(later, 'mizani_mid_tzs')).toHaveLength(4)
    expect(seriesOf(later, 'mizani_scrape_positions_missing')).toMatchObject([{ value: 0 }])
  })

  test('is shared by those who ask while it is made, and made anew for those who ask later', async () => {
    let readings = 0
    const waiting = Promise.withResolvers<readonly MetricFamily[]>()
    const source = {
      positions: 1,
      read: () => {
        readings += 1
        return waiting.promise
      },
    }
    const scrape = createScrape(() => [source])
    const asked = [scrape(), scrape(), scrape()]
    waiting.resolve([])
    const [first, ...others] = await Promise.all(asked)
    expect(readings).toBe(1)
    for (const other of others) expect(other).toBe(first)
    await scrape()
    expect(readings).toBe(2)
  })

  test('asks the sources that there are then, so that a position that was added or removed is no gap', async () => {
    const sources = [thread('a')]
    const scrape = createScrape(() => sources)
    await scrape()
    sources.push(thread('b'))
    sources.shift()
    expect(seriesOf((await scrape()).text, 'mizani_mid_tzs').map(({ labels }) => labels['position'])).toEqual(
      ['b'],
    )
  })

  test('fails where a source fails, and the next one is not lost with it', async () => {
    let isBroken = true
    const source: MetricsSource = {
      positions: 1,
      read: async () => (isBroken ? Promise.reject(new Error('broken')) : []),
    }
    const scrape = createScrape(() => [source])
    await expect(scrape()).rejects.toThrow('broken')
    isBroken = false
    expect((await scrape()).text).toContain('process_cpu_seconds_total')
  })
})
