import { Gauge, type Registry } from 'prom-client'

/** A gauge without labels that has no series until it is set; prom-client would show a 0 that no one measured. */
export function absentGauge(registry: Registry, name: string, help: string, collect?: () => void): Gauge {
  const gauge = new Gauge({ name, help, registers: [registry], ...(collect && { collect }) })
  gauge.remove()
  return gauge
}

export function setOrRemove<Label extends string>(
  gauge: Gauge<Label>,
  labels: Record<Label, string>,
  value: number | null,
): void {
  if (value === null) gauge.remove(labels)
  else gauge.set(labels, value)
}

/** `reset` would leave a gauge without labels at 0. */
export function setOrClear(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove()
  else gauge.set(value)
}
