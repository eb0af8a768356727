import { Gauge, Registry } from 'prom-client'
import { renderMetrics } from './exposition.ts'
import type { MetricsSource } from './scrape.ts'

/** A position that another daemon may hold. */
export type SharedPosition = { readonly name: string; readonly standsBy: boolean }

type StandbyMetrics = { readonly registry: Registry; readonly standby: Gauge<'position'> }

/** Creates the metrics of this process's positions that another daemon holds. */
export function createStandbyMetrics(): StandbyMetrics {
  const registry = new Registry()
  const standby = new Gauge({
    name: 'mizani_standby',
    help: '1 = another daemon holds the position and this one is ready to take over, 0 = it runs here.',
    labelNames: ['position'],
    registers: [registry],
  })
  return { registry, standby }
}

/** Returns a source on this thread, which is available while the position itself is not. */
export function standbyMetricsSource(
  { registry, standby }: StandbyMetrics,
  positions: () => readonly SharedPosition[],
): MetricsSource {
  return {
    positions: 0,
    read() {
      standby.reset()
      for (const { name, standsBy } of positions()) standby.set({ position: name }, Number(standsBy))
      return renderMetrics([{ registry, position: null }])
    },
  }
}
