import { Gauge, type Registry } from 'prom-client'

/** A number, a flag or exact decimal text; null and undefined = unknown, without a series. */
type Reading = number | boolean | string | null | undefined

/** A gauge, and how to read its series from a view: its label values in order, then the reading. */
type ViewGauge<View> = {
  readonly name: string
  readonly labels: readonly string[]
  readonly help: string
  readonly read: (view: View) => Iterable<readonly [...labels: string[], reading: Reading]>
}

/** Returns the two ways to declare a gauge: one series without labels, or a series per label value. */
export function gaugesOf<View>() {
  return {
    single: (name: string, help: string, read: (view: View) => Reading): ViewGauge<View> => ({
      name,
      labels: [],
      help,
      read: (view) => [[read(view)]],
    }),
    labelled: (
      name: string,
      labels: readonly string[],
      help: string,
      read: ViewGauge<View>['read'],
    ): ViewGauge<View> => ({ name, labels, help, read }),
  }
}

/** Registers the gauges and returns the function that shows a view; values unknown to the view lose their series. */
export function registerGauges<View>(
  registry: Registry,
  gauges: readonly ViewGauge<View>[],
): (view: View) => void {
  const registered = gauges.map(({ name, help, labels, read }) => {
    const gauge = new Gauge({ name, help, labelNames: labels, registers: [registry] })
    // `reset` would leave a gauge without labels at 0.
    const clear = () => (labels.length === 0 ? gauge.remove() : gauge.reset())
    clear()
    return { gauge, labels, read, clear }
  })
  return (view) => {
    for (const { gauge, labels, read, clear } of registered) {
      clear()
      for (const series of read(view)) {
        const reading = series.at(-1) ?? null
        if (reading === null) continue
        gauge.set(Object.fromEntries(labels.map((label, at) => [label, String(series[at])])), Number(reading))
      }
    }
  }
}

/** Returns a gauge without labels that has no series until it is set; prom-client would show an unmeasured 0. */
export function absentGauge(registry: Registry, name: string, help: string, collect?: () => void): Gauge {
  const gauge = new Gauge({ name, help, registers: [registry], ...(collect && { collect }) })
  gauge.remove()
  return gauge
}
