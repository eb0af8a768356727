import { Gauge, type Registry } from 'prom-client'

/** A gauge without labels that has no series until it is set; prom-client would show a 0 that nobody measured. */
export function absentGauge(registry: Registry, name: string, help: string): Gauge {
  const gauge = new Gauge({ name, help, registers: [registry] })
  gauge.remove()
  return gauge
}
